// Unpacks one archive into a new directory, with the type that the daemon uses, and prints the number of files and bytes.
// Nothing is synced: the library does that for several packs at once, and the peers don't do it either.

import Glibc
import StoreArchives
import StoreSystem

let usage = "usage: bench-unpack ARCHIVE FOLDER [THREADS]\n"
let arguments = CommandLine.arguments.dropFirst()
guard (2...3).contains(arguments.count), let archive = arguments.first else {
    print(usage, terminator: "")
    exit(2)
}
let threads = arguments.dropFirst(2).first.flatMap { Int($0) }
do {
    let report = try Unpacker(threads: threads).unpack(
        OpenFile.open(archive), into: Directory.create(arguments.dropFirst().first!), limits: ArchiveLimits())
    print("\(report.files.count) files, \(report.size) bytes")
} catch {
    print("\(error)")
    exit(1)
}
