import Glibc
import StoreCLinux
public import StoreModel

/// The content of a file, which was read into memory or is mapped into it.
public enum FileBytes: Sendable {
    case memory([UInt8])
    case mapped(MappedFile)

    public var count: Int {
        switch self {
        case .memory(let bytes): bytes.count
        case .mapped(let file): file.count
        }
    }

    /// Calls `body` with the bytes, which are valid until it returns.
    public func withUnsafeBytes<Value, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        switch self {
        case .mapped(let file): try file.withUnsafeBytes(body)
        case .memory(let array):
            try array.withUnsafeBufferPointer { bytes throws(Failure) in try body(UnsafeRawBufferPointer(bytes)) }
        }
    }
}

extension OpenFile {
    /// Returns the whole content of the file, mapped if the file is large and on a disk of this machine.
    ///
    /// What is said of ``MappedFile`` applies. On a network file system another machine may remove a mapped file, and reading
    /// its bytes would then end the process.
    ///
    /// - Parameters:
    ///   - limit: the maximum size of the file in bytes.
    ///   - mappedSize: the size in bytes from which on a file is mapped. To map a small one takes longer than to read it, and
    ///     a process can have about 65,000 maps (`max_map_count` in proc_sys_vm(5)).
    /// - Throws: ``StoreError`` if the file has more than `limit` bytes, or can't be read.
    public func bytes(limit: Int, mappedSize: Int) throws(StoreError) -> FileBytes {
        let size = try requireSize(limit: limit)
        if size >= mappedSize, isOnLocalDisk, let mapped = try? map() { return .mapped(mapped) }
        return .memory(try read(count: size, at: 0))
    }

    /// Whether the file is on a disk of this machine, as far as the type of its file system tells.
    private var isOnLocalDisk: Bool {
        var fileSystem = statfs()
        guard fstatfs(descriptor, &fileSystem) == 0 else { return false }
        return !Self.remoteTypes.contains(UInt32(truncatingIfNeeded: fileSystem.f_type))
    }

    /// The types of network file systems in the result of statfs(2), and that of FUSE, which may be one.
    ///
    /// In this order: NFS, SMB 2 and 3, CIFS, SMB, 9P, AFS (two types), Ceph, Coda (linux/magic.h), FUSE (fs/fuse/inode.c).
    private static let remoteTypes: Set<UInt32> = [
        0x6969, 0xFE53_4D42, 0xFF53_4D42, 0x517B, 0x0102_1997, 0x5346_414F, 0x6B41_4653, 0x00C3_6400, 0x7375_7245,
        0x6573_5546,
    ]
}
