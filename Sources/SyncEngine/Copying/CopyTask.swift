package import SyncCore
package import SystemPackage

/// What a person wants copied or moved, and where: ordinary file operations, whatever is synced.
package struct CopyTask: Sendable {
    /// Whether the originals stay.
    package enum Way: Sendable, Hashable {
        case copy
        case move
    }

    /// A place that is resolved component by component below a directory, without following symbolic links.
    package struct Place: Sendable, Hashable {
        /// The directory, an absolute path, whose ancestors may be symbolic links.
        package var root: FilePath
        /// The path below it.
        package var path: RelativePath

        /// A place below a directory.
        package init(root: FilePath, path: RelativePath = .root) {
            self.root = root
            self.path = path
        }

        /// The path in messages: from the item's own name on.
        package var shown: RelativePath { RelativePath(path.name.map { [$0] } ?? []) }

    }

    /// Whether the originals stay.
    package var way: Way
    /// The items, each of which comes directly into ``destination``. Their paths are not empty.
    package var items: [Place]
    /// The directory that they come into. If its path is empty, the directory itself may be given by a symbolic link.
    package var destination: Place
    /// `$XDG_DATA_HOME`, which contains the desktop's trash.
    package var dataHome: FilePath
    /// Directories that are not moved, neither alone nor with what contains them, by whatever path.
    package var unmovable: [FilePath] = []
    /// Directories that keep the contents of folders on demand, of which nothing is copied or moved: a file whose contents
    /// are away would be one of zeros.
    package var contentsPlaces: [FilePath] = []
    /// Where copies are noted that are not complete yet; nil to note none.
    package var notes: CopyNotes?

    /// A task.
    package init(_ way: Way, _ items: [Place], to destination: Place, dataHome: FilePath) {
        (self.way, self.items, self.destination, self.dataHome) = (way, items, destination, dataHome)
    }
}

/// What became of a ``CopyTask``.
package struct CopyOutcome: Sendable, Equatable {
    /// The items that are at the destination now, with the names that they have there.
    package var placed: [Placed]
    /// How many files were left out because they are neither files, directories nor symbolic links, or because the
    /// destination has no symbolic links; with the path of the first one.
    package var leftOut: (count: Int, first: String)
    /// Originals of moved items that are still there, because they could not be put into the trash.
    package var remaining: [RelativePath]
    /// Why it ended before everything was done; nil if it did not.
    package var failure: CopyFailure?

    /// An item at the destination.
    package struct Placed: Sendable, Hashable {
        /// The item in the order of the task, from 0.
        package var index: Int
        /// Its name at the destination.
        package var name: EntryName

        package init(index: Int, name: EntryName) { (self.index, self.name) = (index, name) }
    }

    package init(
        placed: [Placed] = [], leftOut: (count: Int, first: String) = (0, ""), remaining: [RelativePath] = [],
        failure: CopyFailure? = nil
    ) {
        (self.placed, self.leftOut, self.remaining, self.failure) = (placed, leftOut, remaining, failure)
    }

    package static func == (left: CopyOutcome, right: CopyOutcome) -> Bool {
        left.placed == right.placed && left.leftOut == right.leftOut && left.remaining == right.remaining
            && left.failure == right.failure
    }
}

/// Why an item could not be copied or moved. Nothing of it is left at the destination, and the original is untouched.
package struct CopyFailure: Error, Sendable, Equatable {
    /// The reasons.
    package enum Reason: Sendable, Equatable {
        /// The destination's file system is full, or the user's part of it.
        case noSpace
        /// The destination is mounted read-only.
        case readOnly
        /// The original may not be read, or may not be moved away.
        case unreadable
        /// The destination may not be written.
        case unwritable
        /// The destination cannot be opened.
        case noDestination
        /// The original is not there any more.
        case gone
        /// The original changed while it was copied.
        case changed
        /// The contents of the original are not on this computer.
        case away
        /// A directory cannot come into itself.
        case intoItself
        /// The engine writes it for itself.
        case own
        /// It is or contains one of ``CopyTask/unmovable``.
        case unmovable
        /// It is in one of ``CopyTask/contentsPlaces``, or contains one.
        case keepsContents
        /// The destination's file system does not accept the name, or has it already in another spelling.
        case unusableName
        /// The destination's file system does not take files of this size.
        case tooLarge
        /// The person stopped it.
        case stopped
        /// Any other error of a system call.
        case failed(Errno)
    }

    /// The reason.
    package var reason: Reason
    /// The item, for display.
    package var path: String

    package init(_ reason: Reason, _ path: RelativePath) {
        self.reason = reason
        self.path = "\(path)"
    }
}
