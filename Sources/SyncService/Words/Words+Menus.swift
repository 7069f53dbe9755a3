internal import Support
internal import SyncCore

/// The texts of menus.
extension Words {
    static var syncNow: String { Phrase.text("Sync Now") }
    static var syncAll: String { Phrase.text("Sync All Folders Now") }
    static var pause: String { Phrase.text("Pause Syncing") }
    static var resume: String { Phrase.text("Resume Syncing") }
    static var pauseAll: String { Phrase.text("Pause All Folders") }
    static var resumeAll: String { Phrase.text("Resume All Folders") }
    static var openFolder: String { Phrase.text("Open Folder") }
    static var openRemote: String { Phrase.text("Open Remote Folder") }
    static var showRemote: String { Phrase.text("Show in Remote Folder") }
    static var showInBrowser: String { Phrase.text("Show in Browser") }
    static var copyShareLink: String { Phrase.text("Copy Share Link") }
    static var exclude: String { Phrase.text("Exclude from Syncing") }
    static var include: String { Phrase.text("Sync Again") }
    static var resolve: String { Phrase.text("Resolve Conflict") }
    static var keepMine: String { Phrase.text("Keep the Version from This Computer") }
    static var keepTheirs: String { Phrase.text("Keep the Version from the Remote") }
    static var keepBoth: String { Phrase.text("Keep Both Versions") }
    static var unite: String { Phrase.text("Keep Both Versions of What Differs") }
    static var sameRoot: String { Phrase.text("Go On: It Is the Same") }
    static var uniteRoots: String { Phrase.text("Unite Both Sides, Delete Nothing") }
    static var acceptRemote: String { Phrase.text("Take the Remote's Older Versions") }

    static func delete(_ count: Int, on side: Side) -> String {
        side == .local
            ? Phrase.counted(count, one: "Delete 1 Item on This Computer", other: "Delete {1} Items on This Computer")
            : Phrase.counted(count, one: "Delete 1 Item on the Remote", other: "Delete {1} Items on the Remote")
    }

    static func restore(_ count: Int, on side: Side) -> String {
        side == .local
            ? Phrase.counted(
                count, one: "Restore 1 Item on This Computer", other: "Restore {1} Items on This Computer")
            : Phrase.counted(count, one: "Restore 1 Item on the Remote", other: "Restore {1} Items on the Remote")
    }
}
