import FoundationEssentials
import StoreArchives
import StoreModel
import StoreSystem

@testable import StoreWorker

extension FuzzTarget {
    /// Follows a worker that sends any bytes as its report, in pieces, and that ends, or is ended, at any moment.
    @Sendable static func workerReport(_ bytes: [UInt8]) throws {
        var choices = Choices(bytes)
        var session = WorkerSession(limits: WorkerLimits())
        let exitCode = Int32(choices.number(below: 8))
        let end =
            choices.flag()
            ? ProcessEnd(exitCode: exitCode) : ProcessEnd(signal: 9, largestMemory: choices.number(below: 65_536) << 14)
        let (piece, event, moment) = (
            1 + choices.number(below: 64), choices.number(below: 4), choices.number(below: 16)
        )
        let report = Array(choices.rest)
        var (outcome, isKilled, count) = (WorkerSession.Action.wait, false, 0)
        func take(_ action: WorkerSession.Action) {
            switch action {
            case .wait: break
            case .kill:
                require(!isKilled, "killed twice")
                isKilled = true
            case .finish, .fail:
                require(outcome == .wait, "a second outcome")
                outcome = action
            }
        }
        for start in stride(from: 0, to: report.count, by: piece) {
            if count == moment {
                switch event {
                case 0: take(session.timeIsOver())
                case 1: take(session.cancelled())
                case 2: take(session.helperEnded())
                default: break
                }
            }
            count += 1
            take(session.received(Array(report[start..<min(start + piece, report.count)])))
        }
        take(session.received([]))
        take(session.ended(end))
        require(outcome != .wait, "no outcome")
        guard case .finish(let result) = outcome else { return }
        require(!isKilled && end == ProcessEnd(exitCode: WorkerExitCode.done), "a result in spite of \(end)")
        requireSame(WorkerReport(report), result, "the report")
        do {
            try result.requireDone(nil)
        } catch let error as StoreError {
            require(error.permissions.isEmpty, "permissions")
            require([.refused, .space, .failed].contains(error.code.exitCode), "exit code \(error.code.exitCode)")
            require(error.message.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "message \(error.message)")
            require(error.message.utf8.count <= 16_384, "a long message")
        }
    }

    /// Reads the messages that a worker and its supervisor receive.
    @Sendable static func workerRequest(_ bytes: [UInt8]) throws {
        if let ending = WorkerEnding(bytes) { requireSame(WorkerEnding(ending.bytes), ending, "an ending") }
        guard let request = try? JSON.decode(WorkerRequest.self, from: Data(bytes)) else { return }
        try requireStable(request)
    }
}

extension FuzzTarget {
    /// Reads any bytes as the packs that a worker has unpacked into memory.
    @Sendable static func unpackedPacks(_ bytes: [UInt8]) throws {
        var choices = Choices(bytes)
        let count = 1 + choices.number(below: 4)
        var limits = ArchiveLimits()
        limits.entries = 1 + choices.number(below: 16)
        let file = try OpenFile.inMemory()
        try Array(choices.rest).withUnsafeBytes { try file.write($0) }
        do {
            let packs = try UnpackedPacks(file, count: count, limits: limits)
            requireSame(packs.contents.trees.count, count, "the number of packs")
            for (tree, report) in zip(packs.contents.trees, packs.reports) {
                require(tree.files.count + tree.directories.count <= limits.entries, "too many entries")
                requireSame(Set(report.files.map(\.path)), Set(tree.files.map(\.path)), "the files")
                for file in report.files {
                    require(!file.path.utf8.starts(with: "/".utf8) && !file.path.contains(".."), file.path)
                }
            }
        } catch let error as StoreError {
            requireSame(error.code, .workerBadOutput, "\(error)")
        }
    }
}
