public import SystemPackage

/// The kind of item at a path; a symbolic link is not followed.
public enum RootKind: Sendable, Equatable {
    /// A directory other than `/`.
    case directory
    /// `/` itself.
    case fileSystemRoot
    /// A symbolic link with any target.
    case symbolicLink
    /// A file, socket, pipe or device.
    case file
    /// Nothing, or an ancestor is missing or is not a directory.
    case missing
    /// The file system did not respond within two seconds.
    case notAnswering
    /// The system reported an error: no permission, too many symbolic links, an input/output error.
    case inaccessible(Errno)
}

/// To what extent the kernel sees the changes of a file system.
public enum FileSystemKind: Sendable, Equatable {
    /// A local disk, memory, or a folder on demand on one of them: the kernel makes every change itself.
    case local
    /// NFS, SMB, 9P and similar ones: other computers change it unseen, and it can stop responding.
    case network
    /// Any other FUSE mount, or one of autofs: a program responds, or does not.
    case fuse
}

/// A symbolic link on the way to a path.
public struct PathAlias: Sendable, Equatable {
    /// The path of the link; its own ancestors are resolved.
    public var link: FilePath
    /// The directory that it leads to, completely resolved.
    public var target: FilePath

    /// Creates an alias from a link and its target.
    public init(link: FilePath, target: FilePath) {
        self.link = link
        self.target = target
    }
}

/// A path with its ancestors resolved, and the item there.
public struct PathResolution: Sendable, Equatable {
    /// The path as requested.
    public var requested: FilePath
    /// The same directory without a symbolic link among its ancestors. The last component is kept as it is; so are
    /// components below a missing one.
    public var resolved: FilePath
    /// Every symbolic link among the ancestors, in the order in which they were found. Replacing `link` prefixes by
    /// `target` until none matches turns `requested` into `resolved`.
    public var aliases: [PathAlias]
    /// The kind of the item at `resolved`.
    public var kind: RootKind
    /// The file system that it is on, or would be.
    public var fileSystem: FileSystemKind

    /// Creates a resolution.
    public init(
        requested: FilePath, resolved: FilePath, aliases: [PathAlias] = [], kind: RootKind,
        fileSystem: FileSystemKind = .local
    ) {
        self.requested = requested
        self.resolved = resolved
        self.aliases = aliases
        self.kind = kind
        self.fileSystem = fileSystem
    }
}
