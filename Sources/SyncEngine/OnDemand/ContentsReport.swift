package import MountProtocol
package import SyncCore

/// What a mounted folder tells whoever brings its contents.
package enum ContentsReport: Hashable, Sendable {
    /// The folder is mounted and answers.
    case connected
    /// It does not answer any more: it was unmounted, its program ended, or this side hung up. Every fetch has ended.
    case disconnected
    /// A program waits for the contents of the item at a path.
    case wanted(FetchNumber, RelativePath, by: ContentsReader)
    /// Nobody waits for them any more.
    case withdrawn(FetchNumber)
    /// A program has thrown away contents that were not here. Nothing else says that the item has changed if it was
    /// opened by its inode.
    case emptied(RelativePath)
}

/// A program that wants to read contents.
package struct ContentsReader: Hashable, Sendable {
    /// The path of the program, or its name; empty if it is not known.
    package let program: String
    /// Its process; 0 if it is in a container of which nothing is seen here.
    package let process: Int32

    package init(program: String, process: Int32) {
        (self.program, self.process) = (program, process)
    }
}
