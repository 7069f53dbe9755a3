internal import Support
internal import SyncCore

/// What the remote lets the user do with an item, and who else has to do with it, in words. Only what is known is said.
enum AccessWords {
    /// The words without a full stop; nil if there is nothing to say.
    static func sentence(_ access: ItemAccess, of kind: EntryKind) -> String? {
        let parts = [sharing(access, kind), lock(access)].compactMap(\.self)
        return parts.count == 2 ? tr("{1}. {2}", parts[0], parts[1]) : parts.first
    }

    private static func sharing(_ access: ItemAccess, _ kind: EntryKind) -> String? {
        switch (access.isReadOnly(kind), access.facts.contains(.isShared), access.sharedBy) {
        case (true, _, ""): tr("Read-only")
        case (true, _, let name): tr("Read-only: shared by {1}", name)
        case (false, false, _): nil
        case (false, true, ""): tr("Shared")
        case (false, true, let name): tr("Shared by {1}", name)
        }
    }

    private static func lock(_ access: ItemAccess) -> String? {
        guard access.facts.contains(.isLocked) else { return nil }
        return access.lockedBy.isEmpty ? tr("Locked") : tr("Locked by {1}", access.lockedBy)
    }
}
