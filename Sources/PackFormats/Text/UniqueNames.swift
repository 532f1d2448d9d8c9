/// A generator of names of which no two are equal, in time proportional to their number.
struct UniqueNames {
    private var taken: Set<String> = []
    /// The last number that was appended to make a name unique, such as the 3 of a third "cat".
    ///
    /// The key is the name without the number, in the form in which names are compared.
    private var numbers: [String: Int] = [:]

    /// Creates a generator of names.
    ///
    /// - Parameter taken: the names that exist already, in the form in which names are compared.
    init(taken: Set<String> = []) { self.taken = taken }

    /// Returns a name if it is free, or else the first free one with a number.
    ///
    /// - Parameters:
    ///   - compared: returns the form in which names are compared, such as in lower case.
    ///   - numbered: returns the name with a number.
    mutating func make(
        _ wanted: String, comparedBy compared: (String) -> String, numbered: (Int) -> String
    ) -> String {
        let key = compared(wanted)
        if taken.insert(key).inserted { return wanted }
        while true {
            let number = numbers[key, default: 1] + 1
            numbers[key] = number
            let candidate = numbered(number)
            if taken.insert(compared(candidate)).inserted { return candidate }
        }
    }
}
