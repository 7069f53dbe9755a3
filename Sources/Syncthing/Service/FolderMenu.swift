internal import RoundelBus
internal import Support

/// What a person can do with folders of Syncthing from a menu.
enum FolderMenu {
    /// The actions, by their ids.
    enum Action: String {
        case rescan, pause, resume, override, revert, open
        case pauseAll = "pause-all"
        case resumeAll = "resume-all"
    }

    /// The menu of a folder, or of something in it.
    static func items(for folder: FolderReport, page: String?) -> [MenuItem] {
        guard folder.absence == nil else { return [] }
        let settings = folder.model.settings
        var items: [MenuItem] = []
        if settings.isPaused {
            items.append(item(.resume, tr("Resume Syncing “{1}”", folder.label), "media-playback-start"))
        } else {
            items.append(item(.rescan, tr("Rescan"), "view-refresh"))
            items.append(item(.pause, tr("Pause Syncing “{1}”", folder.label), "media-playback-pause"))
        }
        // Both overwrite what others, or this computer, have changed: they stand apart, and only where there is something.
        if settings.direction == .sendOnly, folder.model.counts?.neededItems ?? 0 > 0 {
            items.append(item(.override, tr("Override Changes on Other Devices"), "go-up"))
        }
        if settings.direction.keepsChangesHere, folder.model.counts?.changedHereOnly ?? 0 > 0 {
            items.append(item(.revert, tr("Revert Changes on This Computer"), "edit-undo"))
        }
        if page != nil { items.append(open) }
        return [MenuItem(id: "", label: "Syncthing", icon: "syncthing", children: items)]
    }

    /// The menu of the toolbar, for all folders.
    static func items(for folders: [FolderReport], page: String?) -> [MenuItem] {
        var items: [MenuItem] = []
        if folders.contains(where: { $0.absence == nil && !$0.model.settings.isPaused }) {
            items.append(item(.pauseAll, tr("Pause All Folders"), "media-playback-pause"))
        }
        if folders.contains(where: { $0.absence == nil && $0.model.settings.isPaused }) {
            items.append(item(.resumeAll, tr("Resume All Folders"), "media-playback-start"))
        }
        if page != nil { items.append(open) }
        return items.isEmpty ? [] : [MenuItem(id: "", label: "Syncthing", icon: "syncthing", children: items)]
    }

    private static var open: MenuItem { item(.open, tr("Open Syncthing in the Browser"), "web-browser") }

    private static func item(_ action: Action, _ label: String, _ icon: String) -> MenuItem {
        MenuItem(id: action.rawValue, label: label, icon: icon)
    }
}
