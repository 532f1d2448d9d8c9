extension StringProtocol {
    /// The text of a file's name in the form used for comparison without regard to case, as in some file systems.
    ///
    /// It is converted to upper case first, so that letters that differ only in lower case (ß and ss, final sigma)
    /// become equal too.
    public var caseFolded: String { uppercased().lowercased() }
}
