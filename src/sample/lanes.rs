//! Arithmetic on eight lanes at once: plain arrays and loops without branches, which the compiler
//! turns into vector instructions. There are no fused multiply-adds, so that every machine gets
//! the same bits; and a lane's result does not depend on how many lanes there are.

/// How many tracks are worked on at once.
pub(super) const LANES: usize = 8;

/// How far `time` is through the segment from `start` to `end`, 0 to 1; 0 before the segment and
/// in one that ends at infinity.
#[inline(always)]
pub(super) fn progress<const N: usize>(time: f64, start: &[f64; N], end: &[f64; N]) -> [f64; N] {
    let mut out = [0.0; N];
    for k in 0..N {
        // Of rounded numbers too, the smaller difference by the larger is at most 1.
        let u = (time - start[k]) / (end[k] - start[k]);
        out[k] = if u > 0.0 { u } else { 0.0 };
    }
    out
}

/// (cos(√z) − 1) / z by powers of z, best for 0 ≤ z ≤ (π/2)²: within 8e-15 of the cosine.
const COS: [f64; 7] = [
    -0.49999999999999684,
    0.04166666666654123,
    -0.0013888888880751317,
    2.4801585321095488e-05,
    -2.7557089550661114e-07,
    2.086306804596689e-09,
    -1.1064990517394575e-11,
];

/// (sin(√z)/√z − 1) / z by powers of z, likewise: within 5e-16.
const SIN: [f64; 7] = [
    -0.1666666666666665,
    0.008333333333325933,
    -0.00019841269836469024,
    2.755731805568578e-06,
    -2.5051972921545148e-08,
    1.6050972244119656e-10,
    -7.408054889307151e-13,
];

#[inline(always)]
fn one_and<const N: usize>(terms: &[f64; 7], z: &[f64; N]) -> [f64; N] {
    let mut out = [0.0; N];
    for k in 0..N {
        let z = z[k];
        let mut sum = terms[6];
        sum = sum * z + terms[5];
        sum = sum * z + terms[4];
        sum = sum * z + terms[3];
        sum = sum * z + terms[2];
        sum = sum * z + terms[1];
        sum = sum * z + terms[0];
        out[k] = sum * z + 1.0;
    }
    out
}

/// The cosine of an angle of 0 to 90° given by its square; exactly 1 at 0.
#[inline(always)]
pub(super) fn cos_of_square<const N: usize>(square: &[f64; N]) -> [f64; N] {
    one_and(&COS, square)
}

/// The sine of an angle of 0 to 90° by the angle, given the angle's square; exactly 1 at 0.
#[inline(always)]
pub(super) fn sinc_of_square<const N: usize>(square: &[f64; N]) -> [f64; N] {
    one_and(&SIN, square)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sines_and_cosines_are_right_over_the_quarter_turn() {
        for i in 0..=10_000 {
            let angle = f64::from(i) / 10_000.0 * std::f64::consts::FRAC_PI_2;
            let [cos] = cos_of_square(&[angle * angle]);
            let [sinc] = sinc_of_square(&[angle * angle]);
            assert!((cos - libm::cos(angle)).abs() < 1e-14);
            assert!((sinc * angle - libm::sin(angle)).abs() < 1e-15);
        }
        assert_eq!((cos_of_square(&[0.0]), sinc_of_square(&[0.0])), ([1.0], [1.0]));
    }
}
