import StoreModel
import Testing

@testable import StoreTerminal

@Suite struct ProgressTests {
    private func status(
        _ id: String = "org.example.cups", _ state: DownloadState = .downloading,
        _ activity: DownloadActivity? = .transferring, received: Int = 0, expected: Int? = 1000, attempt: Int = 1,
        reason: String? = nil, rate: Double? = nil
    ) -> DownloadStatus {
        var status = DownloadStatus(
            operation: OperationID(rawValue: "op-\(id)"), action: .install, productIdentifier: id, store: "s",
            state: state, activity: activity, reason: reason, attempt: attempt, bytesReceived: received,
            bytesExpected: expected)
        status.setRate(rate)
        return status
    }

    @Test func `a line shows bytes, rate and remaining time`() {
        let text = ProgressLine(status(received: 500, rate: 500)).text(width: 100)
        #expect(text.contains("org.example.cups") && text.contains(" 50%") && text.contains("["))
        #expect(text.contains("500 B/1.0 kB") && text.contains("500 B/s") && text.contains("1s left"))
    }

    @Test(arguments: [10, 20, 40, 60, 79, 200]) func `a line fits any width`(width: Int) {
        let line = ProgressLine(
            status("org.example.averyveryverylongidentifier-茶碗茶碗茶碗茶碗", received: 123, rate: 123))
        #expect(line.text(width: width).columns <= width)
    }

    @Test func `an activity other than a transfer is shown in words`() {
        #expect(ProgressLine(status("a", .downloaded, .verifying)).text(width: 80).contains("verifying"))
        #expect(ProgressLine(status("a", .finished, nil)).text(width: 80).contains("done"))
        let waiting = ProgressLine(
            status("a", .initializing, .waiting, attempt: 2, reason: "no network\u{1B}[2J"))
        let forNetwork = ProgressLine(status("a", .initializing, .waiting, reason: "waiting for the network"))
        #expect(forNetwork.activity == "waiting for the network")
        #expect(waiting.activity == "waiting: no network�[2J (attempt 2)")
        #expect(
            ProgressLine(status("a", .initializing, .queued, reason: "waiting for a free slot")).activity == "queued")
    }

    @Test func `a paused download shows how to resume it`() {
        let paused = ProgressLine(status("a", .downloading, .paused, attempt: 2, reason: "paused by the user"))
        #expect(paused.activity == "paused by the user; resume with 'storectl resume a'")
        #expect(paused.text(width: 80).contains("resume a"))
        let long = ProgressLine(
            status("org.example.a-long-name", .downloading, .paused, attempt: 2, reason: "paused by the user"))
        #expect(long.text(width: 80) == "org.example.a-long-name  paused; resume with 'storectl resume ID'")
    }

    @Test(arguments: [60, 80, 120]) func `the bars of all downloads are aligned`(width: Int) {
        var display = ProgressDisplay()
        display.expected = 4
        display.update(status("a", received: 5, expected: 1_200_000, rate: 12))
        display.update(status("org.example.cups", received: 900_000, expected: 1_000_000, rate: 3_400_000))
        display.update(status("茶碗", received: 999, expected: 1000))
        display.update(status("org.example.unknown", received: 5000, expected: nil, rate: 10))
        let lines = display.text(width: width, height: 24).dropLast()
        #expect(lines.count == 4 && lines.allSatisfy { $0.columns <= width })
        func column(of mark: Character, in line: String) -> Int? {
            line.lastIndex(of: mark).map { line[..<$0].columns }
        }
        let known = lines.filter { $0.contains("%") }
        #expect(known.count == 3)
        for mark: Character in ["[", "]", "%"] {
            #expect(Set(known.map { column(of: mark, in: $0) }).count == 1, "\(mark): \(lines)")
        }
        #expect(width < 80 || known.allSatisfy { $0.contains("[") })
        // The amounts are columns, too.
        let rates = lines.compactMap { line in line.firstRange(of: "B/s").map { line[..<$0.lowerBound].columns } }
        #expect(rates.count == 3 && Set(rates).count == 1, "\(lines)")
    }

    @Test func `a download that did not succeed is not counted as done`() {
        var display = ProgressDisplay()
        display.expected = 5
        for id in ["a", "b", "c", "d", "e"] { display.update(status(id)) }
        display.update(status("a", .finished, nil, received: 1000))
        display.update(status("b", .cancelled, nil))
        display.update(status("c", .cancelled, nil))
        #expect(display.text(width: 100, height: 24).last?.hasPrefix("1 of 5 done, 2 cancelled  ") == true)
        display.update(status("d", .failed, nil))
        #expect(display.text(width: 100, height: 24).last?.hasPrefix("1 of 5 done, 2 cancelled, 1 failed  ") == true)
    }

    @Test func `the summary adds up all downloads`() {
        var display = ProgressDisplay()
        display.expected = 2
        display.update(status("a", received: 500, rate: 100))
        display.update(status("b", received: 0, rate: 50))
        let summary = display.text(width: 100, height: 24).last ?? ""
        #expect(summary.contains("150 B/s") && summary.contains("10s left"), "\(summary)")
    }

    @Test func `the summary counts the newest status of each download`() {
        var display = ProgressDisplay()
        display.expected = 3
        display.update(status("a", received: 100, expected: nil, rate: 10))
        display.update(status("a", received: 500, rate: 100))
        display.update(status("b", received: 100, rate: 50))
        display.update(status("b", .downloading, .paused, received: 200))
        display.update(status("c", received: 700, rate: 30))
        display.update(status("c", .finished, nil, received: 1000))
        let lines = display.text(width: 100, height: 24)
        #expect(lines.count == 3 && lines[0].hasPrefix("a ") && lines[1].hasPrefix("b "), "\(lines)")
        #expect(lines.last == "1 of 3 done  1.7/3.0 kB  100 B/s  13s left", "\(lines)")
        // A download that transfers again is shown after those that have transferred all the time.
        display.update(status("b", received: 300, rate: 50))
        display.update(status("a", .downloading, .paused, received: 500))
        #expect(display.text(width: 100, height: 24)[0].hasPrefix("b "))
        display.update(status("a", received: 500, rate: 100))
        #expect(display.text(width: 100, height: 24)[0].hasPrefix("b "))
    }

    /// An integer holds the size of each of them, but not their sum.
    @Test func `the summary of downloads whose sizes are invented has no total`() {
        var display = ProgressDisplay()
        display.expected = 2
        display.update(status("a", received: 500, expected: Int.max, rate: 100))
        display.update(status("b", received: 0, expected: Int.max, rate: 50))
        let summary = display.text(width: 100, height: 24).last ?? ""
        #expect(summary == "0 of 2 done  500 B  150 B/s", "\(summary)")
    }

    @Test func `a download of unknown size shows bytes without a bar`() {
        let text = ProgressLine(status(received: 2010, expected: nil, rate: 2000)).text(width: 80)
        #expect(!text.contains("[") && text.contains("2.0 kB") && !text.contains("left"))
    }

    @Test func `a single download has no summary`() {
        var display = ProgressDisplay()
        display.expected = 1
        display.update(status())
        #expect(display.text(width: 80, height: 24).count == 1)
        display.update(status("org.example.cups", .finished, nil, received: 1000))
        #expect(display.text(width: 80, height: 24).isEmpty)
    }

    @Test func `downloads that do not fit are represented by the summary`() {
        var display = ProgressDisplay()
        display.expected = 100
        for number in 0..<100 { display.update(status("p\(number)", received: 100)) }
        for number in 0..<40 { display.update(status("p\(number)", .finished, nil, received: 1000)) }
        let lines = display.text(width: 80, height: 10)
        #expect(lines.count == 9)
        #expect(lines.last?.contains("40 of 100 done") == true)
        #expect(lines.last?.contains("46/100 kB") == true)
        #expect(lines.allSatisfy { $0.columns <= 80 })
    }

    @Test func `transferring downloads are shown before queued ones`() {
        var display = ProgressDisplay()
        display.expected = 3
        display.update(status("queued", .initializing, .queued))
        display.update(status("running"))
        #expect(display.text(width: 80, height: 24).first?.hasPrefix("running") == true)
    }

    @Test func `the end of a download is counted once`() {
        var display = ProgressDisplay()
        display.expected = 2
        #expect(display.update(status("a")) == .appeared)
        #expect(display.update(status("a", received: 5)) == .progress)
        #expect(display.update(status("a", .downloaded, .unpacking, received: 1000)) == .state)
        #expect(display.update(status("a", .finished, nil, received: 1000)) == .ended)
        #expect(display.update(status("a", .finished, nil, received: 1000)) == .progress)
        #expect(display.text(width: 80, height: 24).last?.hasPrefix("1 of 2 done") == true)
    }
}
