/// Bytes that only the side which made them understands; compared for equality alone.
package struct Token: Hashable, Sendable, CustomStringConvertible {
    /// The bytes; empty means that the side has none.
    package let bytes: [UInt8]

    /// Wraps the bytes.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// No token.
    package static let none = Token([])
    /// Whether the side gave none.
    package var isEmpty: Bool { bytes.isEmpty }
    /// Hexadecimal, for messages of tests and logs.
    package var description: String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

/// The hash of a file's whole contents: 256 bits, by one function for both sides.
package struct ContentHash: Hashable, Sendable {
    /// The 32 bytes.
    package let bytes: [UInt8]

    /// Wraps the bytes of a digest.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }
}

/// What one side said about an item when it was last looked at.
///
/// Two versions of a file with equal `tag`s have equal contents, unless the older one `isRacy`. Nothing of one side
/// is ever compared with the other side but `hash` and, to save work, `size`.
package struct Version: Hashable, Sendable {
    /// Which object it is, whatever its name: locally device, inode and birth time; remotely a stable id. Empty if
    /// the side has none.
    package var identity: Token
    /// Which contents: locally size, mtime and ctime in nanoseconds; remotely the revision. Empty for directories.
    package var tag: Token
    /// Bytes in the file; 0 for directories.
    package var size: Int64
    /// The modification time in nanoseconds since 1970 by that side's clock. Carried along, never compared.
    package var modified: Int64
    /// Whether it was looked at so soon after its last change that a further change could carry the same `tag`.
    package var isRacy: Bool
    /// The contents' hash, where somebody computed it.
    package var hash: ContentHash?
    /// Who may do what with the item; nil where the side keeps no permission bits.
    package var permissions: Permissions?

    /// A version as a side reports it.
    package init(
        identity: Token, tag: Token, size: Int64, modified: Int64 = 0, isRacy: Bool = false, hash: ContentHash? = nil,
        permissions: Permissions? = nil
    ) {
        self.identity = identity
        self.tag = tag
        self.size = size
        self.modified = modified
        self.isRacy = isRacy
        self.hash = hash
        self.permissions = permissions
    }

    /// A version of which nothing is known.
    package static let unknown = Version(identity: .none, tag: .none, size: 0)

    /// As much of a directory's version as is kept: which one it is, and who may do what in it.
    var ofDirectory: Version {
        Version(identity: identity, tag: .none, size: 0, permissions: permissions)
    }

    /// What the base keeps of an item that counted as deleted and is there again: only who may do what with it.
    func ofReturned(_ kind: EntryKind) -> Version {
        var version = self
        version.identity = .none
        version.tag = kind == .directory ? Self.returnedDirectory : .none
        return version
    }

    /// Whether this is of a directory that is there again. All other directories have an empty tag.
    var isOfReturnedDirectory: Bool { tag == Self.returnedDirectory }

    private static let returnedDirectory = Token([1])

    /// Whether a look that shows one after the other tells nothing new: the clock may be too coarse for a change of
    /// permissions to show in the tag.
    func showsTheSame(as other: Version) -> Bool { tag == other.tag && permissions == other.permissions }

    /// Whether both are the same contents for certain: same object, same tag, and the one recorded earlier not racy.
    package func isCertainly(_ later: Version) -> Bool {
        isSame(as: later) && !isRacy
    }

    /// Whether both are the same object with the same tag, as far as the side tells objects apart.
    package func isSame(as other: Version) -> Bool {
        tag == other.tag && (identity == other.identity || identity.isEmpty || other.identity.isEmpty)
    }
}
