import Configuration
import StoreModel

extension SettingKey {
    /// The environment variable that sets it: `downloads.maximumAtOnce` is `STORECTL_DOWNLOADS_MAXIMUM_AT_ONCE`.
    public var variable: String {
        var name = "STORECTL_"
        for character in self.name {
            if character.isUppercase { name += "_" }
            name += character == "." ? "_" : character.uppercased()
        }
        return name
    }

    /// The value that `text` stands for, as a variable or an argument gives it.
    ///
    /// - Parameter origin: where the text is from, for the message.
    /// - Throws: `settings.invalid`.
    public func value(ofText text: String, from origin: SettingOrigin = .flag) throws(SettingsError) -> SettingValue {
        let source = EnvironmentVariablesProvider(environmentVariables: [variable: text])
        guard let value = try? self.value(in: source.snapshot(), under: "storectl"), rule.allows(value) else {
            throw invalid(text, from: origin)
        }
        return value
    }

    /// `nil` where the source does not have it.
    func value(in source: some ConfigSnapshot, under prefix: String? = nil) throws -> SettingValue? {
        let key = AbsoluteConfigKey((prefix.map { [$0] } ?? []) + name.split(separator: ".").map(String.init))
        return switch try source.value(forKey: key, type: type).value?.content {
        case .int(let number): .integer(number)
        case .bool(let flag): .bool(flag)
        case .string(let text): .text(text)
        default: nil
        }
    }

    private var type: ConfigType {
        switch rule {
        case .integer: .int
        case .bool: .bool
        case .word, .folderExtension, .identifier, .shares, .proxy, .hosts, .path: .string
        }
    }

    func invalid(_ written: String, from origin: SettingOrigin) -> SettingsError {
        let unit = unit.map { " (\($0.rawValue))" } ?? ""
        let defect = rule.defect(of: written.trimmingQuotationMarks).map { $0 + "; " } ?? ""
        return SettingsError(
            .settingsInvalid,
            "The setting '\(name)' can't be '\(written)' (\(origin.place)): \(defect)it takes \(rule.allowed)\(unit).")
    }
}

extension String {
    /// Text out of a file is quoted as it stands there.
    fileprivate var trimmingQuotationMarks: String {
        count >= 2 && hasPrefix("\"") && hasSuffix("\"") ? String(dropFirst().dropLast()) : self
    }
}
