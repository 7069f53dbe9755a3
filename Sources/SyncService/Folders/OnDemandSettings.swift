internal import RoundelBus
internal import SyncCore
internal import SystemPackage

/// What was chosen for a folder whose contents need not all be on this computer.
struct OnDemandSettings: Codable, Equatable {
    /// A change that is not finished. It is taken up again when the worker starts.
    enum Step: String, Codable {
        /// An ordinary folder becomes one on demand: its directory is moved to where contents are kept.
        case turningOn = "turning-on"
        /// It becomes an ordinary one: all of its contents are here, and its directory is moved back.
        case turningOff = "turning-off"
        /// It is no longer synced: placeholders are removed, and its directory is moved back.
        case removing
    }

    /// The `file://` URI of the directory that keeps what is here; nil for the usual place.
    var contents: String?
    /// Contents are freed while the disk has less room than this, in bytes; nil for never.
    var freeBelow: Int64?
    /// Contents are freed that were not used for this many seconds; nil for never.
    var freeUnused: Int64?
    var step: Step?
    /// Whether everything is kept here only because the folder is about to become an ordinary one. If that is interrupted,
    /// it is not kept any more.
    var keepsAllForNow: Bool?
}

extension OnDemandSettings {
    /// When contents are freed without being asked for; nil for never.
    var freeingRule: FreeingRule? {
        let rule = FreeingRule(
            roomToKeep: freeBelow.flatMap { $0 > 0 ? $0 : nil }, longestUnused: freeUnused.flatMap { $0 > 0 ? $0 : nil }
        )
        return rule.roomToKeep == nil && rule.longestUnused == nil ? nil : rule
    }
}

extension FolderSettings {
    /// Whether its contents need not all be on this computer.
    var isOnDemand: Bool { onDemand != nil }
}
