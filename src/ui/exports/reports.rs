//! Reports on takes, made on another thread where they are much work.

use crate::model::take::Take;
use crate::progress::Progress;
use crate::sample::take::{Space, TakeReport};
use crate::ui::stage::Stage;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};

/// Takes with more keys than this are looked at on another thread.
const MUCH: usize = 3000;

/// What a report is of.
type Of = (Arc<Take>, Space);

/// The report on the take that is shown.
#[derive(Default)]
pub struct Reports {
    made: Option<(Of, Arc<TakeReport>)>,
    coming: Option<(Of, Progress, Receiver<TakeReport>)>,
}

fn same(a: &Of, b: &Of) -> bool {
    Arc::ptr_eq(&a.0, &b.0) && a.1 == b.1
}

fn of(stage: &Stage) -> Option<Of> {
    let (take, rig, _) = stage.export.as_ref()?.take()?;
    Some((take.clone(), rig.space()))
}

impl Reports {
    /// The report on what is shown; the one of a moment ago where the new one is not ready.
    pub fn current(&self, stage: &Stage) -> Option<&Arc<TakeReport>> {
        let of = of(stage)?;
        let (made, report) = self.made.as_ref()?;
        (same(made, &of) || report.pegs.len() == of.0.pegs.len()).then_some(report)
    }

    /// Brings the report up to what is shown. `wake` makes what is called when a report is ready.
    pub fn update(&mut self, stage: &Stage, wake: &dyn Fn() -> Box<dyn Fn() + Send>) {
        if let Some((of, _, inbox)) = &self.coming
            && let Ok(report) = inbox.try_recv()
        {
            self.made = Some((of.clone(), Arc::new(report)));
            self.coming = None;
        }
        let Some(wanted) = of(stage) else { return };
        if self.made.as_ref().is_some_and(|(of, _)| same(of, &wanted)) {
            return;
        }
        if let Some((of, progress, _)) = &self.coming {
            if same(of, &wanted) {
                return;
            }
            progress.cancel();
        }
        let Some((take, rig, measure)) = stage.export.as_ref().and_then(|export| export.take())
        else {
            return;
        };
        if take.key_count() <= MUCH {
            if let Some(report) = TakeReport::new(take, rig, measure, &Progress::new()) {
                self.made = Some((wanted, Arc::new(report)));
            }
            self.coming = None;
            return;
        }
        let (take, rig, measure) = (take.clone(), rig.clone(), measure.clone());
        let (outbox, inbox) = channel();
        let progress = Progress::new();
        self.coming = Some((wanted, progress.clone(), inbox));
        let wake = wake();
        std::thread::spawn(move || {
            if let Some(report) = TakeReport::new(&take, &rig, &measure, &progress)
                && outbox.send(report).is_ok()
            {
                wake();
            }
        });
    }
}
