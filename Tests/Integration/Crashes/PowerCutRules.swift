/// What a file system makes durable, and in which order: which states a power failure may leave.
///
/// `fdatasync` makes bytes durable in all of them, and is not relied on for names; `syncfs` makes everything durable, as
/// syncfs(2) says. A rename, an exchange included, is one step everywhere: ext4 and XFS write it in one transaction of
/// their journals, and btrfs in one of its trees. A rule that is missing here only adds states.
struct PowerCutRules: Hashable, Sendable {
    /// The order in which changes of names become durable.
    enum NameOrder: Hashable, Sendable {
        /// All changes are in one journal, in their order.
        ///
        /// `fsync` writes the journal up to the last change of that file or directory, and so all earlier changes.
        case journal
        /// All changes up to a transaction are durable together; of later ones, only those of synced inodes.
        ///
        /// `fsync` logs one inode: a file with its names and the names of its new parent directories, a directory with
        /// its entries. It does not make other changes durable, not even earlier ones.
        case transactionsAndInodes
        /// Each change may be lost alone, unless its directory was synced later.
        case none
    }

    /// The state of a file's bytes that no sync covered.
    enum UnsyncedBytes: Hashable, Sendable, CaseIterable {
        case there
        /// The file is as it was, or empty.
        case missing
        /// The file has its full length, with zeros instead of the bytes.
        case zeros
        /// Each page of 4 KiB is on disk in a version of its own; a hole is zeros, and the last page decides the length.
        case pages
        /// Half of the writes are on disk, and the last one of these partially.
        case torn
    }

    var name: String
    var nameOrder: NameOrder
    var unsyncedBytes: [UnsyncedBytes]
    /// Whether a file's bytes are durable together with the rename by which it replaces another file.
    var replacesWithBytes = false

    /// ext4 with its default options: `data=ordered`, `auto_da_alloc`, `dioread_nolock`, and no fast commits.
    ///
    /// - `fsync` commits the transaction that changed the inode last, with all changes before it: `ext4_fsync_journal` in
    ///   fs/ext4/fsync.c (`i_sync_tid`), and Documentation/filesystems/ext4/journal.rst.
    /// - Blocks are allocated when pages are written, in any order, first as unwritten extents, which read as zeros
    ///   (`dioread_nolock` and `delalloc` in Documentation/admin-guide/ext4.rst).
    /// - Replacing a file by a rename allocates and writes the new file's blocks before the rename is committed
    ///   (`auto_da_alloc`, same page). Truncating a file to replace it does as well, which is not relied on here.
    static let ext4 = PowerCutRules(
        name: "ext4", nameOrder: .journal, unsyncedBytes: [.there, .missing, .zeros, .pages], replacesWithBytes: true)

    /// XFS.
    ///
    /// - `fsync` forces the log up to the inode's last change, and all changes before it: `xfs_file_fsync` in
    ///   fs/xfs/xfs_file.c, and Documentation/filesystems/xfs/xfs-delayed-logging-design.rst on the log's strict order.
    /// - A file's length on disk grows only after its pages are written: `xfs_setfilesize` in fs/xfs/xfs_aops.c. So no file
    ///   ends in zeros, but holes between its pages are possible. Replacing by a rename writes no bytes.
    static let xfs = PowerCutRules(name: "XFS", nameOrder: .journal, unsyncedBytes: [.there, .missing, .pages])

    /// btrfs.
    ///
    /// - A transaction replaces all trees at once (`syncfs`, and every 30 seconds). In between, `fsync` writes the inode
    ///   into the log tree: `btrfs_log_inode_parent` in fs/btrfs/tree-log.c. In some cases it commits the transaction
    ///   instead, for example when the directory lost an entry (`last_unlink_trans`), which is not relied on here.
    /// - Checked for other file systems by CrashMonkey (Mohan et al., OSDI 2018), which found most of its defects in the
    ///   log tree.
    /// - A transaction does not wait for unwritten pages of files, and with `no-holes`, the default since btrfs-progs 5.15,
    ///   it contains the file's full length: `btrfs_inode_safe_disk_i_size_write` in fs/btrfs/file-item.c.
    static let btrfs = PowerCutRules(
        name: "btrfs", nameOrder: .transactionsAndInodes, unsyncedBytes: [.there, .missing, .zeros, .pages])

    /// A file system that guarantees no more than POSIX: no order of changes, neither between names nor between bytes.
    ///
    /// What applications wrongly assume beyond that: Pillai et al., "All File Systems Are Not Created Equal", OSDI 2014.
    static let posix = PowerCutRules(name: "POSIX", nameOrder: .none, unsyncedBytes: UnsyncedBytes.allCases)

    static let all = [ext4, xfs, btrfs, posix]
}
