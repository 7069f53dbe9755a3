internal import Glibc

/// What is on the disk under a name, to be compared with what the index knows.
enum DiskFacts: Equatable, Sendable {
    case missing
    /// The time of the last change is in nanoseconds since 1970.
    case file(size: UInt64, modified: Int64)
    case directory
    case link
    /// A socket, a pipe or a device, which Syncthing does not sync.
    case special
    /// The file system does not answer, or forbids the look.
    case unknown
    /// Nobody has looked, because earlier looks take too long: nothing is claimed of the item.
    case notLooked

    /// Looks at a path, which may take as long as the file system likes.
    init(lookingAt path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            self = errno == ENOENT || errno == ENOTDIR ? .missing : .unknown
            return
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG:
            let (seconds, overflow) = Int64(status.st_mtim.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
            let modified = overflow ? 0 : seconds &+ Int64(status.st_mtim.tv_nsec)
            self = .file(size: UInt64(clamping: status.st_size), modified: modified)
        case S_IFDIR: self = .directory
        case S_IFLNK: self = .link
        default: self = .special
        }
    }

    /// Whether the disk has what the index has. Where this is not known, the index is believed.
    func agrees(with version: IndexRecord.Version) -> Bool {
        switch (self, version.kind) {
        case (.unknown, _), (.notLooked, _), (_, nil): true
        case (.missing, _): version.isDeleted
        case (.file(let size, let modified), .file):
            !version.isDeleted && size == version.size
                && (modified == version.modified || modified == version.shownModified)
        case (.directory, .directory), (.link, .link): !version.isDeleted
        case (.file, _), (.directory, _), (.link, _), (.special, _): false
        }
    }
}
