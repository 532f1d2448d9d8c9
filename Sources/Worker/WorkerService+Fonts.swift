import StoreModel
public import StoreSystem

extension WorkerService {
    /// Has a worker of the program `store-thumbnailer` read images of emoji from a colour font.
    ///
    /// Blocks. The images have not been checked: the worker may have been under the control of the font.
    ///
    /// - Parameters:
    ///   - font: the font file.
    ///   - output: an empty file for the images.
    /// - Returns: a result for each emoji of the task, with ranges that are in the file; `nil` if the task has to be done
    ///   in this process.
    /// - Throws: the error that the worker reports, such as `emoji.font`; `worker.crashed`, `worker.timeout`,
    ///   `worker.memory`; `worker.unavailable`; `CancellationError`.
    public func readFont(
        _ task: FontTask, of font: OpenFile, output: OpenFile, cancellation: CancellationFlag = CancellationFlag()
    ) throws -> FontReport? {
        guard try usesWorker() else { return nil }
        let report = try run(.readFont(task), WorkerFiles(archives: [font], output: output), cancellation)
        guard case .fontRead(let read) = report, try read.isWellFormed(for: task, size: output.status().size) else {
            try report.requireDone(nil)
            throw StoreError(.workerCrashed, ["reason": "its report is malformed"])
        }
        return try read.checked()
    }
}

extension FontReport {
    /// Returns the report with the reasons for refused images validated and their texts cut.
    fileprivate func checked() throws(StoreError) -> FontReport {
        var checked = self
        for (index, result) in results.enumerated() {
            if case .refused(let reason) = result { checked.results[index] = .refused(try reason.checked()) }
        }
        return checked
    }

    /// Whether a worker may report this: a result for each emoji, and images that are in the file.
    func isWellFormed(for task: FontTask, size: Int) -> Bool {
        size <= FontTask.sizeLimit && results.count == task.emoji.count
            && results.allSatisfy { result in
                guard case .image(let range) = result else { return true }
                return range.lowerBound >= 0 && range.upperBound <= size && range.count <= task.images.size
            }
    }
}
