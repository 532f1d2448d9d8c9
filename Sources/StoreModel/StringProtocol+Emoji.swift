extension StringProtocol {
    /// Whether the text is one emoji, or several without anything between them.
    ///
    /// Digits and signs that only become emoji with a variation selector don't count without one.
    package var isEmoji: Bool {
        !isEmpty
            && allSatisfy { character in
                let scalars = character.unicodeScalars
                guard let first = scalars.first, first.properties.isEmoji else { return false }
                return first.properties.isEmojiPresentation
                    || scalars.contains { $0.value == 0xFE0F || $0.value == 0x20E3 }
                    || scalars.count > 1 && first.value > 0xFF || first.value > 0x2000
            }
    }
}
