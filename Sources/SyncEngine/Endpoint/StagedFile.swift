import CLinux
import Glibc
import SyncCore
import SystemPackage

/// Contents that stand ready on a side's file system and that no listing shows.
///
/// Where the file system can, the file has no name at all (`O_TMPFILE`): nothing is left of it after a crash, and it
/// is made near the directory in which it is to be. Elsewhere it stands in the staging directory.
struct StagedFile: Sendable {
    private enum Place: Sendable {
        case unnamed(Descriptor)
        case named(EntryName, in: DirectoryHandle)
    }

    private let place: Place
    var status: FileStatus
    /// Who may do what with the file that it is a copy of; nil where that is not known.
    let source: Permissions?
    /// What is noted of its transfer, until it has its place; nil if nothing is.
    let claim: TransferClaim?

    /// A file that has no name yet.
    init(unnamed file: Descriptor, status: FileStatus, source: Permissions? = nil) {
        place = .unnamed(file)
        self.status = status
        self.source = source
        claim = nil
    }

    /// A file that has a name in a directory, and loses it when it gets another.
    init(
        _ name: EntryName, in directory: DirectoryHandle, status: FileStatus, source: Permissions? = nil,
        claim: TransferClaim? = nil
    ) {
        place = .named(name, in: directory)
        self.status = status
        self.source = source
        self.claim = claim
    }

    /// Opens the file, to change its permissions or make it durable.
    func open(_ flags: CInt) throws(Errno) -> Descriptor {
        switch place {
        case .unnamed(let file): file
        case .named(let name, let directory): try directory.open(name, flags)
        }
    }

    /// What it is before it gets a name: from then on other programs may change it.
    func currentStatus() throws(Errno) -> FileStatus {
        switch place {
        case .unnamed(let file): try file.status()
        case .named(let name, let directory): try directory.status(of: name)
        }
    }

    /// Gives the file a name; `EEXIST` if something has it already.
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

    /// Notes what giving the file a name changes besides the directory in which it gets it.
    func noteGiving(_ unsynced: inout UnsyncedChanges) {
        if case .named(_, let staging) = place { unsynced.note(own: staging) }
    }

    /// Takes back the name that `give` gave.
    func takeBack(_ name: EntryName, from directory: DirectoryHandle) throws(Errno) {
        switch place {
        case .unnamed: try directory.removeFile(name)
        case .named(let own, let staging): try directory.renameWithoutReplacing(name, to: own, in: staging)
        }
    }

    /// Forgets the file.
    func remove() {
        if case .named(let name, let directory) = place { try? directory.removeFile(name) }
    }
}
