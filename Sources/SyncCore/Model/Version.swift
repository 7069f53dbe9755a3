/// Bytes that only the side that made them understands; they are only compared for equality.
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

/// The hash of a file's whole contents: 256 bits, by the same function on both sides.
package struct ContentHash: Hashable, Sendable {
    /// The 32 bytes.
    package let bytes: [UInt8]

    /// Wraps the bytes of a digest.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }
}

/// What one side reported about an item when it was last looked at.
///
/// Two versions of a file with equal `tag`s have equal contents, unless the older one `isRacy`. Between sides, only
/// `hash` and, to save work, `size` are ever compared.
package struct Version: Hashable, Sendable {
    /// The identity of the object, independent of its name: locally device, inode and birth time; remotely a stable id.
    /// Empty if the side has none.
    package var identity: Token
    /// Identifies the contents: locally size, mtime and ctime in nanoseconds; remotely the revision. Empty for
    /// directories.
    package var tag: Token
    /// Bytes in the file; 0 for directories.
    package var size: Int64
    /// The modification time in nanoseconds since 1970 by that side's clock. Copied, never compared.
    package var modified: Int64
    /// Whether it was looked at so soon after its last change that another change could have the same `tag`.
    package var isRacy: Bool
    /// The hash of the contents, if it was computed.
    package var hash: ContentHash?
    /// The permissions of the item; nil if the side keeps no permission bits.
    package var permissions: Permissions?
    /// Where the contents are. At the remote alone only in the version of a local file; that is never racy.
    package var residence: Residence

    /// A version as a side reports it.
    package init(
        identity: Token, tag: Token, size: Int64, modified: Int64 = 0, isRacy: Bool = false, hash: ContentHash? = nil,
        permissions: Permissions? = nil, residence: Residence = .here
    ) {
        self.identity = identity
        self.tag = tag
        self.size = size
        self.modified = modified
        self.isRacy = isRacy
        self.hash = hash
        self.permissions = permissions
        self.residence = residence
    }

    /// A version about which nothing is known.
    package static let unknown = Version(identity: .none, tag: .none, size: 0)

    /// The parts of a directory's version that are kept: identity and permissions.
    var ofDirectory: Version {
        Version(identity: identity, tag: .none, size: 0, permissions: permissions)
    }

    /// What the base keeps of an item that counted as deleted and has returned: only its permissions.
    func ofReturned(_ kind: EntryKind) -> Version {
        var version = self
        version.identity = .none
        version.tag = kind == .directory ? Self.returnedDirectory : .none
        return version
    }

    /// Whether this is the version of a directory that has returned. All other directories have an empty tag.
    var isOfReturnedDirectory: Bool { tag == Self.returnedDirectory }

    private static let returnedDirectory = Token([1])

    /// Whether seeing one after the other shows no change. The clock may be too coarse for the tag to show a change of
    /// permissions.
    func showsTheSame(as other: Version) -> Bool { tag == other.tag && permissions == other.permissions }

    /// Whether both certainly have the same contents: same object, same tag, and the earlier one not racy. A placeholder
    /// that was filled may have been written to within the same tick of the clock.
    package func isCertainly(_ later: Version) -> Bool {
        isSame(as: later) && !isRacy && residence == later.residence
    }

    /// Whether both are the same object with the same tag, as far as the side tells objects apart.
    package func isSame(as other: Version) -> Bool {
        tag == other.tag && (identity == other.identity || identity.isEmpty || other.identity.isEmpty)
    }
}
