/* stats_student.c: quantiles of the normal and of Student's t distribution. */
#include "metric/stats.h"

#include <assert.h>
#include <float.h>
#include <math.h>

static double ratio(const double *top, const double *bottom, double r) {
  double a = top[7], b = bottom[7];
  for (int i = 6; i >= 0; i--) {
    a = a * r + top[i];
    b = b * r + bottom[i];
  }
  return a / b;
}

/* Wichura's AS 241, PPND16: about 1e-16 relative. */
double eh_stats_normal_quantile(double p) {
  static const double a[] = {
      3.3871328727963666080e0,  1.3314166789178437745e+2,
      1.9715909503065514427e+3, 1.3731693765509461125e+4,
      4.5921953931549871457e+4, 6.7265770927008700853e+4,
      3.3430575583588128105e+4, 2.5090809287301226727e+3};
  static const double b[] = {1.0,
                             4.2313330701600911252e+1,
                             6.8718700749205790830e+2,
                             5.3941960214247511077e+3,
                             2.1213794301586595867e+4,
                             3.9307895800092710610e+4,
                             2.8729085735721942674e+4,
                             5.2264952788528545610e+3};
  static const double c[] = {
      1.42343711074968357734e0,  4.63033784615654529590e0,
      5.76949722146069140550e0,  3.64784832476320460504e0,
      1.27045825245236838258e0,  2.41780725177450611770e-1,
      2.27238449892691845833e-2, 7.74545014278341407640e-4};
  static const double d[] = {1.0,
                             2.05319162663775882187e0,
                             1.67638483018380384940e0,
                             6.89767334985100004550e-1,
                             1.48103976427480074590e-1,
                             1.51986665636164571966e-2,
                             5.47593808499534494600e-4,
                             1.05075007164441684324e-9};
  static const double e[] = {
      6.65790464350110377720e0,  5.46378491116411436990e0,
      1.78482653991729133580e0,  2.96560571828504891230e-1,
      2.65321895265761230930e-2, 1.24266094738807843860e-3,
      2.71155556874348757815e-5, 2.01033439929228813265e-7};
  static const double f[] = {1.0,
                             5.99832206555887937690e-1,
                             1.36929880922735805310e-1,
                             1.48753612908506148525e-2,
                             7.86869131145613259100e-4,
                             1.84631831751005468180e-5,
                             1.42151175831644588870e-7,
                             2.04426310338993978564e-15};
  double q = p - 0.5, r, z;
  assert(p > 0 && p < 1);
  if (fabs(q) <= 0.425)
    return q * ratio(a, b, 0.180625 - q * q);
  r = sqrt(-log(q < 0 ? p : 1 - p));
  z = r <= 5 ? ratio(c, d, r - 1.6) : ratio(e, f, r - 5);
  return q < 0 ? -z : z;
}

/* The continued fraction of I_x(a, b) for x < (a + 1) / (a + b + 2). */
static double beta_fraction(double a, double b, double x) {
  const double tiny = DBL_MIN / DBL_EPSILON;
  double c = 1, d = 1 - (a + b) * x / (a + 1), h;
  d = 1 / (fabs(d) < tiny ? tiny : d);
  h = d;
  for (int m = 1; m < 10000; m++) {
    double step = 1, m2 = 2.0 * m;
    double term[2] = {m * (b - m) * x / ((a + m2 - 1) * (a + m2)),
                      -(a + m) * (a + b + m) * x / ((a + m2) * (a + m2 + 1))};
    for (int i = 0; i < 2; i++) {
      d = 1 + term[i] * d;
      c = 1 + term[i] / c;
      d = 1 / (fabs(d) < tiny ? tiny : d);
      c = fabs(c) < tiny ? tiny : c;
      step = c * d;
      h *= step;
    }
    if (fabs(step - 1) < 1e-16)
      break;
  }
  return h;
}

static double log_gamma(double x) {
  int sign;
  return lgamma_r(x, &sign); /* lgamma writes a global */
}

double eh_stats_beta_inc(double a, double b, double x) {
  double front;
  assert(a > 0 && b > 0 && x >= 0 && x <= 1);
  if (x == 0 || x == 1)
    return x;
  front = exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * log(x) +
              b * log1p(-x));
  if (x < (a + 1) / (a + b + 2))
    return front * beta_fraction(a, b, x) / a;
  return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

/* P(T > t) for t >= 0, from whichever side loses no digits. */
static double upper_tail(double t, double df) {
  double t2 = t * t;
  if (t2 > df)
    return 0.5 * eh_stats_beta_inc(df / 2, 0.5, df / (df + t2));
  return 0.5 - 0.5 * eh_stats_beta_inc(0.5, df / 2, t2 / (df + t2));
}

/* Expansion in 1 / df (Abramowitz and Stegun 26.7.5), for large df, where
 * the gamma functions of the exact form cancel. */
static double large_df(double z, double df) {
  double z2 = z * z;
  double g1 = (z2 + 1) * z / 4;
  double g2 = ((5 * z2 + 16) * z2 + 3) * z / 96;
  double g3 = (((3 * z2 + 19) * z2 + 17) * z2 - 15) * z / 384;
  double g4 =
      ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) * z / 92160;
  return z + (((g4 / df + g3) / df + g2) / df + g1) / df;
}

double eh_stats_t_quantile(double p, double df) {
  double lo = 0, hi = 1, tail;
  assert(p > 0 && p < 1 && df >= 1);
  if (p == 0.5)
    return 0;
  if (p < 0.5)
    return -eh_stats_t_quantile(1 - p, df);
  if (df > 1000)
    return large_df(eh_stats_normal_quantile(p), df);
  tail = 1 - p;
  while (upper_tail(hi, df) > tail && hi < 1e300)
    hi *= 2;
  for (int i = 0; i < 200 && hi - lo > 1e-15 * hi; i++) {
    double middle = lo + (hi - lo) / 2;
    if (upper_tail(middle, df) > tail)
      lo = middle;
    else
      hi = middle;
  }
  return lo + (hi - lo) / 2;
}
