import FoundationEssentials
import StoreLibrary
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

/// Applies random operations to a library and to a simple model, which must agree after each.
@Suite struct LibraryModelTests {
    private struct Model: Equatable {
        struct Pack: Equatable {
            var version: Int
            var held = false
            var asDependency = false
            var isRolledBack = false
        }
        var installed: [String: Pack] = [:]
        var previous: [String: Int] = [:]
        var byHand: Set<String> = []
    }

    @Test(arguments: 1...4)
    func `any sequence of changes agrees with a simple model, also after reopening`(run: Int) async throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let home = try LibraryHome()
        var library = try await home.open()
        var model = Model()
        var log: [String] = []
        for version in 1...60 {
            let identifier = ["a", "b", "../c"].randomElement(using: &random)!
            let folder = PackDirectoryName(productIdentifier: identifier).text + ".thing"
            let step = Int.random(in: 0...11, using: &random)
            log.append("\(identifier):\(step)")
            let isInstalled = model.installed[identifier] != nil
            let isByHand = model.byHand.contains(identifier)
            var expected: ErrorCode?
            var code: ErrorCode?
            do {
                switch step {
                case 0...3:
                    let keeping = step > 0
                    if isByHand { expected = .packByHand }
                    let asDependency = Bool.random(using: &random)
                    try await library.bring(
                        identifier, ["file": "\(version)"], version: "\(version)", keepingReplaced: keeping,
                        asDependency: asDependency)
                    if keeping, let old = model.installed[identifier] { model.previous[identifier] = old.version }
                    model.installed[identifier, default: .init(version: 0, asDependency: asDependency)].version =
                        version
                    if keeping { model.installed[identifier]?.isRolledBack = false }
                case 4:
                    if !isInstalled { expected = isByHand ? .packByHand : .packMissing }
                    _ = try await library.remove(identifier)
                    model.installed[identifier] = nil
                    model.previous[identifier] = nil
                case 5, 6:
                    if !isInstalled {
                        expected = isByHand ? .packByHand : .packMissing
                    } else if model.previous[identifier] == nil || model.installed[identifier]?.isRolledBack == true {
                        expected = .noPrevious
                    }
                    _ = try await library.rollBack(identifier, operation: OperationID())
                    if let old = model.installed[identifier], let before = model.previous[identifier] {
                        model.installed[identifier] = .init(
                            version: before, held: true, asDependency: old.asDependency, isRolledBack: true)
                        model.previous[identifier] = old.version
                    }
                case 7:
                    let held = Bool.random(using: &random)
                    if !isInstalled { expected = isByHand ? .packByHand : .packMissing }
                    _ = try await library.setHeld(identifier, held)
                    model.installed[identifier]?.held = held
                case 8:
                    if !isInstalled { expected = isByHand ? .packByHand : .packMissing }
                    try await library.setRequested(identifier)
                    model.installed[identifier]?.asDependency = false
                case 9:
                    if isByHand {
                        try home.packs.removeTree(folder)
                        model.byHand.remove(identifier)
                    } else if !isInstalled {
                        try home.packs.put(folder + "/file", "mine")
                        try home.packs.put(folder + "/pack.json", #"{"productIdentifier":"\#(identifier)"}"#)
                        model.byHand.insert(identifier)
                    }
                case 10: library = try await home.open(index: Bool.random(using: &random) ? library.index : [:])
                default: await library.emptyTrash()
                }
            } catch {
                code = (error as? any CodedError)?.code
            }
            let comment = Comment(rawValue: "seed \(seed): \(log.joined(separator: " "))")
            try #require(code == expected, comment)
            try #require(try await state(of: library, home) == model, comment)
        }
    }

    private func state(of library: Library, _ home: LibraryHome) async throws -> Model {
        var model = Model()
        for pack in try await library.all() {
            let text = try await library.text("file", of: pack.productIdentifier)
            guard let origin = pack.origin else {
                #expect(text == "mine")
                model.byHand.insert(pack.productIdentifier)
                continue
            }
            #expect(text == pack.version?.text)
            #expect(try await library.verify(pack.productIdentifier).isEmpty)
            let receipt = try JSON.decode(
                Receipt.self,
                from: home.packs.openDirectory(pack.folder).read(Receipt.fileName, limit: 1 << 20))
            model.installed[pack.productIdentifier] = .init(
                version: Int(text) ?? 0, held: origin.held, asDependency: origin.asDependency,
                isRolledBack: receipt.rolledBackFrom != nil)
            if let before = try? home.previous.openDirectory(pack.folder).text("file") {
                model.previous[pack.productIdentifier] = Int(before)
            }
        }
        #expect(try home.previous.names().count == model.previous.count)
        #expect(try home.staging.names().isEmpty)
        return model
    }
}
