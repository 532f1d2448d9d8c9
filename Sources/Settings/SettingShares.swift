import StoreModel

/// The shares of the bandwidth that product kinds get, in percent, parsed from `sticker=50,skin=30,emoji=20`.
struct SettingShares {
    let percent: [String: Int]

    struct Defect: Error {
        let reason: String
    }

    init(_ text: String) throws(Defect) {
        var percent: [String: Int] = [:]
        for part in text.split(separator: ",", omittingEmptySubsequences: true) {
            let words = part.split(separator: "=", omittingEmptySubsequences: false).map { $0.filter { $0 != " " } }
            guard words.count == 2, !words[0].isEmpty, let number = Int(words[1]), (0...100).contains(number) else {
                throw Defect(
                    reason: EnglishText.filled(
                        "'{part}' is not a kind, '=' and a percentage from 0 to 100", ["part": String(part)]))
            }
            guard percent.updateValue(number, forKey: words[0]) == nil else {
                throw Defect(reason: EnglishText.filled("'{part}' occurs twice", ["part": words[0]]))
            }
        }
        let sum = percent.values.reduce(0, +)
        guard percent.isEmpty || sum == 100 else {
            let values = ["sum": "\(sum)", "number": "\(abs(100 - sum))"]
            throw Defect(
                reason: sum < 100
                    ? EnglishText.filled("they sum to {sum}: add {number}", values)
                    : EnglishText.filled("they sum to {sum}: remove {number}", values))
        }
        self.percent = percent
    }
}
