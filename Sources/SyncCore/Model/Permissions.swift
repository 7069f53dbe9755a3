/// Who may read, write and execute an item: the nine permission bits of its mode, as one side shows them.
///
/// Set-id and sticky bits are none of them: they never travel.
package struct Permissions: Hashable, Sendable, CustomStringConvertible {
    /// The nine bits, the owner's in `0o700`.
    package let bits: UInt16

    /// The permission bits of a mode; all others are left out.
    package init(_ mode: some FixedWidthInteger) {
        bits = UInt16(truncatingIfNeeded: mode) & 0o777
    }

    /// Octal, as chmod(1) takes it, for messages of tests and logs.
    package var description: String { String(bits, radix: 8) }

    /// The owner's three bits.
    package static let owner = Permissions(0o700)

    /// Whether nobody may do anything.
    package var isNothing: Bool { bits == 0 }
    /// Whether nobody but the owner may do anything.
    package var isPrivate: Bool { bits & 0o077 == 0 }

    /// The owner's bits of this, and of the others' only those that `limit` has as well.
    package func within(_ limit: Permissions) -> Permissions {
        Permissions(bits & 0o700 | bits & limit.bits & 0o077)
    }

    /// As ``within(_:)``, and who may read by `limit` may execute or enter as well.
    func limited(by limit: Permissions) -> Permissions {
        within(Permissions(limit.bits | limit.execution))
    }

    /// All that one of the two permits.
    package func union(_ other: Permissions) -> Permissions { Permissions(bits | other.bits) }

    /// All that this permits and the other does not.
    package func subtracting(_ other: Permissions) -> Permissions { Permissions(bits & ~other.bits) }

    /// Executing, for those of the group and others who may read.
    private var execution: UInt16 { bits >> 2 & 0o011 }
}

extension Permissions {
    /// What became of the permissions on one side.
    struct Course {
        /// When both sides agreed last; nil if they never did.
        var agreed: Permissions?
        /// As they are.
        var now: Permissions

        fileprivate var closed: UInt16 { (agreed?.bits ?? 0) & ~now.bits }
        fileprivate var opened: UInt16 { now.bits & ~(agreed ?? now).bits }
    }

    /// The permissions that an item is to have on the side of `own`, from what became of them on both sides.
    ///
    /// What was closed on either side is closed on both. What was opened is opened on the other side for the owner, and
    /// a file that became executable also for those who may read it there; else nothing is opened to the group and to
    /// others but by a person on that very side. Each side is compared with itself: what it cannot keep does not come
    /// back as a change.
    static func merged(_ own: Course, with other: Course, kind: EntryKind) -> Permissions {
        guard own.agreed != nil, other.agreed != nil else {
            var wanted = own.now.bits & other.now.bits & owner.bits | own.now.bits & ~owner.bits
            // Executing is no reading, and a script that came without it once is to have it again.
            if kind == .file { wanted |= (own.now.bits | other.now.bits) & 0o100 | other.now.bits & own.now.execution }
            return Permissions(wanted)
        }
        var closed = own.closed | other.closed
        var admitted = owner.bits
        if kind == .file {
            admitted |= Permissions(own.now.bits & ~closed).execution
            // Who may not read any more is not let in to execute at the same time.
            closed |= own.opened & Permissions(other.closed & ~own.closed).execution
        }
        return Permissions((own.now.bits | other.opened & admitted) & ~closed)
    }
}
