import Synchronization

/// Code that handles untrusted bytes, with its limits for the fuzzer.
struct FuzzTarget: Sendable {
    /// The name of the target, its corpus and its dictionary.
    let name: String
    /// The size limit of inputs in bytes.
    ///
    /// Larger inputs find nothing that smaller ones don't, and cost time.
    let longest: Int
    /// Handles any bytes.
    ///
    /// An error, a crash, a hang and a leak are findings.
    let feed: @Sendable (_ bytes: [UInt8]) throws -> Void

    init(_ name: String, longest: Int = 4_096, _ feed: @escaping @Sendable (_ bytes: [UInt8]) throws -> Void) {
        self.name = name
        self.longest = longest
        self.feed = feed
    }
}

extension FuzzTarget {
    /// The name of the input that is being handled, for messages; `nil` where the fuzzer keeps the input itself.
    static let input = Mutex<String?>(nil)

    /// All targets.
    ///
    /// To add one, write a function that handles bytes, add a line here, and put seeds into `Corpora/NAME`.
    static let all: [FuzzTarget] = [
        FuzzTarget("archive", longest: 2_048, archive),
        FuzzTarget("archive-forged", longest: 512, forgedArchive),
        FuzzTarget("selected-entry", longest: 1_024, selectedEntry),
        FuzzTarget("worker-report", longest: 1_024, workerReport),
        FuzzTarget("worker-request", longest: 1_024, workerRequest),
        FuzzTarget("unpacked-packs", longest: 1_024, unpackedPacks),
        FuzzTarget("catalogue", catalogue),
        FuzzTarget("details", longest: 2_048, details),
        FuzzTarget("receipt", receipt),
        FuzzTarget("pack-information", longest: 2_048, packInformation),
        FuzzTarget("image", longest: 2_048, image),
        FuzzTarget("animation", longest: 2_048, animation),
        FuzzTarget("video", longest: 2_048, video),
        FuzzTarget("sticker-import", longest: 2_048, stickerImport),
        FuzzTarget("signal-pack", longest: 1_024, signalPack),
        FuzzTarget("xml", longest: 2_048, xml),
        FuzzTarget("skin", longest: 2_048, skin),
        FuzzTarget("compiled-skin", longest: 1_024, compiledSkin),
        FuzzTarget("emoji-file", longest: 2_048, emojiFile),
        FuzzTarget("emoji-source", longest: 1_024, emojiSource),
        FuzzTarget("emoji-text", longest: 256, emojiText),
        FuzzTarget("settings", longest: 1_024, settings),
        FuzzTarget("store-list", longest: 1_024, storeList),
        FuzzTarget("entry-table", longest: 2_048, entryTable),
        FuzzTarget("metadata", metadata),
        FuzzTarget("signed-metadata", signedMetadata),
        FuzzTarget("key-file", longest: 1_024, keyFile),
        FuzzTarget("request", longest: 1_024, request),
        FuzzTarget("response", longest: 1_024, response),
        FuzzTarget("events", longest: 2_048, events),
        FuzzTarget("versions", longest: 128, versions),
        FuzzTarget("texts", longest: 256, texts),
        FuzzTarget("sticker-reference", longest: 512, stickerReference),
    ]
}

/// Ends the program unless `condition` holds, which makes the input a finding.
func require(_ condition: Bool, _ message: @autoclosure () -> String, line: Int = #line) {
    guard !condition else { return }
    let input = FuzzTarget.input.withLock { $0 }.map { " of the target, with the input \($0)" }
    fatalError("line \(line)\(input ?? ""): \(message())")
}

/// Ends the program unless both values are equal.
func requireSame<Value: Equatable>(_ a: Value, _ b: Value, _ what: String, line: Int = #line) {
    require(a == b, "\(what): \(a) is not \(b)", line: line)
}
