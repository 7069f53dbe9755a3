public import SystemPackage

/// What stands at a path, itself not followed if it is a symbolic link.
public enum RootKind: Sendable, Equatable {
    /// A directory other than `/`.
    case directory
    /// `/` itself.
    case fileSystemRoot
    /// A symbolic link, wherever it leads.
    case symbolicLink
    /// A file, socket, pipe or device.
    case file
    /// Nothing, or an ancestor is missing or is no directory.
    case missing
    /// The file system did not answer within two seconds.
    case notAnswering
    /// The system refused to say: no permission, too many symbolic links, an input/output error.
    case inaccessible(Errno)
}

/// How far the kernel sees the changes of a file system.
public enum FileSystemKind: Sendable, Equatable {
    /// A local disk or memory: the kernel makes every change itself.
    case local
    /// NFS, SMB, 9P and their like: others change it unseen, and it can stop answering.
    case network
    /// A FUSE or autofs mount: a program answers, or does not.
    case fuse
}

/// A symbolic link met on the way to a path.
public struct PathAlias: Sendable, Equatable {
    /// Where the link is; its own ancestors are resolved.
    public var link: FilePath
    /// The directory that it leads to, wholly resolved.
    public var target: FilePath

    /// A link and where it leads.
    public init(link: FilePath, target: FilePath) {
        self.link = link
        self.target = target
    }
}

/// A path with its ancestors resolved, and what stands there.
public struct PathResolution: Sendable, Equatable {
    /// The path as it was asked for.
    public var requested: FilePath
    /// The same directory without a symbolic link among its ancestors. The last component is kept as it is; so are
    /// components below a missing one.
    public var resolved: FilePath
    /// Every symbolic link met among the ancestors, in the order of meeting. Replacing `link` prefixes by `target`
    /// until none matches turns `requested` into `resolved`.
    public var aliases: [PathAlias]
    /// What stands at `resolved`.
    public var kind: RootKind
    /// The file system that it is on, or would be.
    public var fileSystem: FileSystemKind

    /// A resolution.
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
