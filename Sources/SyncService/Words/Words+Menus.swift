internal import SyncCore

/// What stands in menus.
extension Words {
    static var syncNow: String { say("Sync Now") }
    static var syncAll: String { say("Sync All Folders Now") }
    static var pause: String { say("Pause Syncing") }
    static var resume: String { say("Resume Syncing") }
    static var pauseAll: String { say("Pause All Folders") }
    static var resumeAll: String { say("Resume All Folders") }
    static var openFolder: String { say("Open Folder") }
    static var openRemote: String { say("Open Remote Folder") }
    static var showRemote: String { say("Show in Remote Folder") }
    static var exclude: String { say("Exclude from Syncing") }
    static var include: String { say("Sync Again") }
    static var resolve: String { say("Resolve Conflict") }
    static var keepMine: String { say("Keep the Version from This Computer") }
    static var keepTheirs: String { say("Keep the Version from the Remote") }
    static var keepBoth: String { say("Keep Both Versions") }
    static var unite: String { say("Keep Both Versions of What Differs") }
    static var acceptRemote: String { say("Take the Remote's Older Versions") }

    static func delete(_ count: Int, on side: Side) -> String {
        side == .local
            ? say("Delete 1 Item on This Computer", "Delete %1$s Items on This Computer", count, "\(count)")
            : say("Delete 1 Item on the Remote", "Delete %1$s Items on the Remote", count, "\(count)")
    }
}
