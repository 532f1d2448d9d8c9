import Configuration
public import StoreModel

extension SettingKey {
    /// The name of the setting's environment variable, such as `STORECTL_DOWNLOADS_MAXIMUM_AT_ONCE`.
    public var variable: String {
        var name = "STORECTL_"
        for character in self.name {
            if character.isUppercase { name += "_" }
            name += character == "." ? "_" : character.uppercased()
        }
        return name
    }

    /// Parses a setting's value that is written as text, as in an environment variable or an argument.
    ///
    /// A number of bytes may have a suffix, such as `500k`, as the options of the command line may.
    ///
    /// - Parameters:
    ///   - text: the value as text.
    ///   - origin: the source of the text, for the error's message; `nil` for a new value that a client sets.
    /// - Throws: `settings.invalid`.
    public func value(ofText text: String, from origin: SettingOrigin? = nil) throws(StoreError) -> SettingValue {
        let source = EnvironmentVariablesProvider(environmentVariables: [variable: inBytes(text)])
        guard let value = try? self.value(in: source.snapshot(), under: "storectl"), rule.allows(value) else {
            throw invalid(text, from: origin)
        }
        return value
    }

    /// Returns the setting's value in a settings file, where a number of bytes may be a text such as `"500k"`, too.
    ///
    /// Any other value is returned unchanged.
    func numeric(_ value: JSONValue) -> JSONValue {
        guard countsBytes, case .string(let text) = value, let number = try? self.value(ofText: text) else {
            return value
        }
        return JSONValue(number)
    }

    /// Whether the setting's number counts bytes, so that its text may have a suffix such as `k`.
    private var countsBytes: Bool { unit == .bytes || unit == .bytesPerSecond }

    /// Returns the text of a number of bytes with a suffix, such as `500k`, in digits; any other text unchanged.
    private func inBytes(_ text: String) -> String {
        guard countsBytes, text.last?.isLetter == true, let count = ByteCountArgument(argument: text) else {
            return text
        }
        return "\(count.bytes)"
    }

    /// Returns the setting's value in a source of settings; `nil` if the source has none.
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
        case .word, .folderExtension, .identifier, .optionalIdentifier, .shares, .proxy, .hosts, .path, .origins:
            .string
        }
    }

    /// Returns the error for a text that is not a value which the setting allows.
    ///
    /// - Parameter origin: the source of the text; `nil` for a new value that a client sets.
    func invalid(_ written: String, from origin: SettingOrigin?) -> StoreError {
        let text = written.trimmingQuotationMarks
        return StoreError(
            origin?.template ?? .settingValueRefused,
            [
                "value": .untrusted(text), "setting": name, "origin": origin?.location ?? "",
                "reason": "\(reason(against: text))",
            ])
    }

    /// Checks that the extension of the directories of skins from a store is not that of another kind of content.
    ///
    /// Values of other settings are not checked.
    ///
    /// - Parameter origin: the source of the value, for the error's message; `nil` for a new value that a client sets.
    /// - Throws: `settings.invalid`.
    func requireFreeExtension(_ value: SettingValue, from origin: SettingOrigin? = nil) throws(StoreError) {
        let text = value.description
        guard self == .skinsPurchasedExtension, ["stickers", "emoji", "plugin"].contains(text) else { return }
        throw StoreError(
            origin?.template ?? .settingValueRefused,
            [
                "value": text, "setting": name, "origin": origin?.location ?? "",
                "reason": "directories of another kind of content have this extension",
            ])
    }

    /// Returns why the setting does not allow a value, which is a text that has translations.
    private func reason(against text: String) -> String {
        var values = ["rule": rule.allowed]
        if let defect = rule.defect(of: text) {
            values["reason"] = defect
            return EnglishText.filled("allowed is {rule}; {reason}", values)
        }
        guard let unit else { return EnglishText.filled("allowed is {rule}", values) }
        values["unit"] = unit.text
        return countsBytes
            ? EnglishText.filled("allowed is {rule} ({unit}; suffixes k, M, G)", values)
            : EnglishText.filled("allowed is {rule} ({unit})", values)
    }
}

extension String {
    /// The text of a setting's value without the quotation marks that it has in a JSON file.
    fileprivate var trimmingQuotationMarks: String {
        count >= 2 && hasPrefix("\"") && hasSuffix("\"") ? String(dropFirst().dropLast()) : self
    }
}
