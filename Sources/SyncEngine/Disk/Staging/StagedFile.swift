import CLinux
import Glibc
import SyncCore
import SystemPackage

/// Contents that are ready on a side's file system, and that no listing shows.
///
/// If the file system supports it, the file has no name at all (`O_TMPFILE`): a crash leaves nothing behind, and the
/// file is created near its destination. Otherwise it is in the staging directory.
struct StagedFile: Sendable {
    private enum Place: Sendable {
        case unnamed(Descriptor)
        case named(EntryName, in: DirectoryHandle)
    }

    private let place: Place
    var status: FileStatus
    /// The permissions of the file that it is a copy of; nil if they are not known.
    let source: Permissions?
    /// The notes of its transfer, until the file is placed; nil if there are none.
    let claim: TransferClaim?
    /// The version of the other side that it is a copy of; nil if that is not known.
    let version: Version?

    /// A file without a name.
    init(unnamed file: Descriptor, status: FileStatus, source: Permissions? = nil, version: Version? = nil) {
        place = .unnamed(file)
        self.status = status
        self.source = source
        self.version = version
        claim = nil
    }

    /// A file with a name in a directory, which it loses when it gets another one.
    init(
        _ name: EntryName, in directory: DirectoryHandle, status: FileStatus, source: Permissions? = nil,
        version: Version? = nil, claim: TransferClaim? = nil
    ) {
        place = .named(name, in: directory)
        self.status = status
        self.source = source
        self.version = version
        self.claim = claim
    }

    /// Opens the file, to change its permissions or make it durable.
    func open(_ flags: CInt) throws(Errno) -> Descriptor {
        switch place {
        case .unnamed(let file): file
        case .named(let name, let directory): try directory.open(name, flags)
        }
    }

    /// Its status before it gets a name: after that, other programs may change it.
    func currentStatus() throws(Errno) -> FileStatus {
        switch place {
        case .unnamed(let file): try file.status()
        case .named(let name, let directory): try directory.status(of: name)
        }
    }

    /// Its name, if it has one.
    var name: EntryName? {
        switch place {
        case .unnamed: nil
        case .named(let name, _): name
        }
    }

    /// Gives the file a name; throws `EEXIST` if the name is taken.
    func give(_ name: EntryName, in directory: DirectoryHandle) throws(Errno) {
        switch place {
        case .unnamed(let file):
            try SystemCall.value {
                name.withCString {
                    linkat(
                        AT_FDCWD, "/proc/self/fd/\(file.raw)", directory.descriptor.raw, $0, CLINUX_AT_SYMLINK_FOLLOW)
                }
            }
        case .named(let own, let staging):
            try staging.renameWithoutReplacing(own, to: name, in: directory)
        }
    }

    /// Notes what giving the file a name changes, other than the directory in which it gets the name.
    func noteGiving(_ unsynced: inout UnsyncedChanges) {
        if case .named(_, let staging) = place { unsynced.note(own: staging) }
    }

    /// Undoes `give`.
    func takeBack(_ name: EntryName, from directory: DirectoryHandle) throws(Errno) {
        switch place {
        case .unnamed: try directory.removeFile(name)
        case .named(let own, let staging): try directory.renameWithoutReplacing(name, to: own, in: staging)
        }
    }

    /// Deletes the file.
    func remove() {
        if case .named(let name, let directory) = place { try? directory.removeFile(name) }
    }
}

extension DiskRoot {
    /// Gives a filled file the modification time of its source; returns its new status.
    func finish(
        _ file: Descriptor, size: Int64, like source: any ContentSource, at path: RelativePath
    ) throws(EffectFailure) -> FileStatus {
        let status = try attempt(path) { _ throws(Errno) in
            try file.setModified(source.modified)
            return try file.status()
        }
        guard status.size == UInt64(size) else { throw EffectFailure(.io, .wrongLength, side, path) }
        return status
    }
}
