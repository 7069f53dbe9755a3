/// Who may read, write and execute an item: the nine permission bits of its mode, as one side shows them.
///
/// Set-id and sticky bits are not included: they are never synced.
package struct Permissions: Hashable, Sendable, CustomStringConvertible {
    /// The nine bits, the owner's in `0o700`.
    package let bits: UInt16

    /// The permission bits of a mode; all others are left out.
    package init(_ mode: some FixedWidthInteger) {
        bits = UInt16(truncatingIfNeeded: mode) & 0o777
    }

    /// Octal, like the argument of chmod(1), for messages of tests and logs.
    package var description: String { String(bits, radix: 8) }

    /// The owner's three bits.
    package static let owner = Permissions(0o700)

    /// Whether no one may do anything.
    package var isNothing: Bool { bits == 0 }
    /// Whether only the owner may do anything.
    package var isPrivate: Bool { bits & 0o077 == 0 }

    /// The owner's bits of this, and only those other bits that `limit` has as well.
    package func within(_ limit: Permissions) -> Permissions {
        Permissions(bits & 0o700 | bits & limit.bits & 0o077)
    }

    /// Like ``within(_:)``, but whoever may read according to `limit` may execute or enter as well.
    func limited(by limit: Permissions) -> Permissions {
        within(Permissions(limit.bits | limit.execution))
    }

    /// Everything that either of the two permits.
    package func union(_ other: Permissions) -> Permissions { Permissions(bits | other.bits) }

    /// Everything that this permits and the other does not.
    package func subtracting(_ other: Permissions) -> Permissions { Permissions(bits & ~other.bits) }

    /// The execute bits of the group and others, for those who may read.
    private var execution: UInt16 { bits >> 2 & 0o011 }
}

extension Permissions {
    /// The permissions on one side, then and now.
    struct Course {
        /// When both sides last agreed; nil if they never did.
        var agreed: Permissions?
        /// The present ones.
        var now: Permissions

        fileprivate var closed: UInt16 { (agreed?.bits ?? 0) & ~now.bits }
        fileprivate var opened: UInt16 { now.bits & ~(agreed ?? now).bits }
    }

    /// The permissions that an item should have on the side of `own`, from the changes on both sides.
    ///
    /// What was closed on either side is closed on both. What was opened is opened on the other side for the owner; a
    /// file that became executable is also made executable for those who may read it there. Apart from that, nothing is
    /// opened to the group and others, except by the user on that very side. Each side is compared with itself, so what
    /// it cannot keep does not come back as a change.
    static func merged(_ own: Course, with other: Course, kind: EntryKind) -> Permissions {
        guard own.agreed != nil, other.agreed != nil else {
            var wanted = own.now.bits & other.now.bits & owner.bits | own.now.bits & ~owner.bits
            // The execute bit reveals no contents, and a script that arrived without it should get it back.
            if kind == .file { wanted |= (own.now.bits | other.now.bits) & 0o100 | other.now.bits & own.now.execution }
            return Permissions(wanted)
        }
        var closed = own.closed | other.closed
        var admitted = owner.bits
        if kind == .file {
            admitted |= Permissions(own.now.bits & ~closed).execution
            // Someone who loses read access does not get execute access at the same time.
            closed |= own.opened & Permissions(other.closed & ~own.closed).execution
        }
        return Permissions((own.now.bits | other.opened & admitted) & ~closed)
    }
}
