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
        let z = quantile
        let terms = [
            z, (pow(z, 3) + z) / 4, (5 * pow(z, 5) + 16 * pow(z, 3) + 3 * z) / 96,
            (3 * pow(z, 7) + 19 * pow(z, 5) + 17 * pow(z, 3) - 15 * z) / 384,
            (79 * pow(z, 9) + 776 * pow(z, 7) + 1482 * pow(z, 5) - 1920 * pow(z, 3) - 945 * z) / 92_160,
        ]
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
