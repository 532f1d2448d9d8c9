import Foundation

/// The linear trend of a measured quantity: its slope, fitted with least squares, and a confidence bound for the slope.
///
/// Consecutive measurements of a program are not independent: memory that is in use now probably is in a minute. If the
/// errors of the fit are correlated, there are fewer independent measurements than measurements, n(1 − r)/(1 + r) where
/// r is the correlation of each error with the next; the bound is wider accordingly (Santer et al., "Statistical
/// significance of trends and trend differences in layer-average atmospheric temperature time series", Journal of
/// Geophysical Research 105, 2000, section 3).
struct LinearTrend: Sendable {
    struct Point: Sendable {
        let time: Double
        let value: Double
    }

    /// The growth of the value for each unit of time.
    let slope: Double
    /// The true slope is in `slope - margin ... slope + margin`; it is beyond either end with a probability of 1 %.
    ///
    /// Infinite if there are too few independent measurements for a statement.
    let margin: Double

    /// The standard normal distribution's quantile of 99 %.
    private static let quantile = 2.3263478740

    /// Fits a line; `nil` if the points have fewer than three different times.
    init?(_ points: [Point]) {
        guard Set(points.map(\.time)).count > 2 else { return nil }
        let count = Double(points.count)
        let time = points.reduce(0) { $0 + $1.time } / count
        let value = points.reduce(0) { $0 + $1.value } / count
        let spread = points.reduce(0) { $0 + ($1.time - time) * ($1.time - time) }
        let slope = points.reduce(0) { $0 + ($1.time - time) * ($1.value - value) } / spread
        self.slope = slope
        let errors = points.map { $0.value - value - slope * ($0.time - time) }
        let squares = errors.reduce(0) { $0 + $1 * $1 }
        guard squares > 0 else {
            margin = 0
            return
        }
        let products = zip(errors, errors.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 }
        let correlation = min(max(products / squares, 0), 1)
        let freedom = count * (1 - correlation) / (1 + correlation) - 2
        margin = freedom < 1 ? .infinity : Self.student(freedom) * (squares / freedom / spread).squareRoot()
    }

    /// The 99 % quantile of Student's distribution, by its expansion for large degrees of freedom (Abramowitz and
    /// Stegun, "Handbook of Mathematical Functions", 26.7.5).
    static func student(_ freedom: Double) -> Double {
        // The coefficients of the odd powers of the normal quantile, from the first on.
        let polynomials: [(coefficients: [Double], divisor: Double)] = [
            ([1], 1), ([1, 1], 4), ([3, 16, 5], 96), ([-15, 17, 19, 3], 384), ([-945, -1920, 1482, 776, 79], 92_160),
        ]
        let square = quantile * quantile
        let terms: [Double] = polynomials.map { polynomial in
            polynomial.coefficients.reversed().reduce(0.0) { $0 * square + $1 } * quantile / polynomial.divisor
        }
        return terms.reversed().reduce(0) { $0 / freedom + $1 }
    }

    /// What is known about growth beyond a limit.
    enum Verdict: Equatable { case steady, grows, uncertain }

    /// Compares the trend with a limit for the slope.
    ///
    /// - Returns: `.steady` if a slope of `limit` is excluded, `.grows` if it is not and there is growth, and
    ///   `.uncertain` if the measurements are too few or too different for either.
    func verdict(limit: Double) -> Verdict {
        if slope + margin < limit { return .steady }
        return slope - margin > 0 ? .grows : .uncertain
    }
}
