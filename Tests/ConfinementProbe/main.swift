// Confines itself and then tries what an argument names, because a confinement can't be undone in a test's process.
//
// With a socket as standard input it is a worker under the control of the packs that it reads (see WorkerUnderAttack).
// Otherwise, arguments: the directory, the attempt, and a path that it concerns, if any. Standard output receives a line
// `PART: REASON` for each part of the confinement that is missing. The exit code is 0 where the attempt succeeded, and
// otherwise the error number of the call.

import Glibc
import StoreSystem

let socket = MessageSocket(adopting: STDIN_FILENO)
if socket.isSocket {
    // In place of the program that reads packs for the daemon.
    try WorkerUnderAttack(helper: getpid()).run(socket)
    _exit(0)
}

let words = CommandLine.arguments
guard words.count >= 3, let attempt = Attempt.all[words[2]] else {
    try FileDescriptor.standardError.writeAll("usage: StoreConfinementProbe DIRECTORY ATTEMPT [PATH]\n")
    _exit(125)
}
let directory = try Directory.open(words[1])
var ends: [Int32] = [-1, -1]
guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { _exit(125) }
// Open and not kept, as a descriptor that this process inherited.
let inherited = dup(ends[0])
let files = FilesBeforeConfinement(
    directory: directory, sockets: (ends[0], ends[1]), inherited: inherited, parent: getppid(),
    path: words.count > 3 ? words[3] : "")

let kept = [FileDescriptor.standardOutput, .standardError] + ends.map(FileDescriptor.init(rawValue:))
let confinement = Confinement(
    directories: [directory], keeping: Set(kept), memoryLimit: 256 << 20, processorTimeLimit: 2, fileSizeLimit: 1 << 20,
    openFileLimit: 32)
let report = confinement.apply()
for (part, reason) in report.missing {
    try FileDescriptor.standardOutput.writeAll("\(part.rawValue): \(reason)\n")
}
do {
    _exit(try attempt(files))
} catch {
    try FileDescriptor.standardError.writeAll("\(error)\n")
    _exit(124)
}
