extension Sequence<Int> {
    /// The sum of the numbers; `nil` if an integer can't hold it, since a store may state any size.
    public var checkedSum: Int? {
        var total = 0
        for number in self {
            let (sum, overflows) = total.addingReportingOverflow(number)
            if overflows { return nil }
            total = sum
        }
        return total
    }
}
