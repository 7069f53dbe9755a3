internal import RoundelBus
internal import Support

/// The service's own menu entry for a directory that nothing syncs: it leads to the assistant that adds a folder.
struct FolderInvitation {
    /// As the caller spells it.
    let directory: ItemURI
    /// Whether it is known to be a directory.
    var isDirectory: Bool

    /// The id that hosts use: the ids of providers' items begin with those of their providers.
    static let id = "/add-folder"

    static var label: String { tr("Sync This Folder…") }

    /// The entry as hosts get it.
    static var item: MenuItem { MenuItem(id: id, label: label, icon: "org.roundel.Roundel") }

    /// Whether a directory belongs to the system rather than to a person.
    static func isSystem(_ directory: ItemURI) -> Bool {
        let parts = directory.path.split(separator: "/")
        guard let top = parts.first else { return true }
        switch top {
        case "home", "media", "mnt", "srv", "tmp": return parts.count == 1
        // Disks are mounted at /run/media/PERSON/DISK.
        case "run": return parts.count < 4 || parts[1] != "media"
        default: return ofSystem.contains(top) || top.hasPrefix("lib")
        }
    }

    private static let ofSystem: Set<Substring> = [
        "bin", "boot", "dev", "etc", "lost+found", "nix", "opt", "proc", "sbin", "snap", "sys", "usr", "var",
    ]
}

extension Engine {
    /// The property `AddsFolders`.
    package var addsFolders: Bool { hasWindow }

    mutating func windowFound(_ isThere: Bool) {
        guard hasWindow != isThere else { return }
        hasWindow = isThere
        act(.propertiesChanged(.addsFolders))
    }

    /// The entry for a single directory that is in no folder and has none in it.
    func invitation(
        _ kind: MenuKind, _ target: ItemURI?, _ selection: [ItemURI], _ caller: String
    ) -> FolderInvitation? {
        guard hasWindow else { return nil }
        let directory: ItemURI?
        let location: ItemURI?
        switch kind {
        case .items:
            directory = selection.count == 1 ? selection[0] : nil
            location = directory.map { place(ofItem: $0, for: caller) }
        case .container:
            directory = target
            location = directory.map { place(ofTarget: $0, for: caller) }
        case .sidebar, .toolbar: return nil
        }
        guard let directory, let location, !FolderInvitation.isSystem(directory),
            !FolderInvitation.isSystem(location), folderTable.any(containing: location) == nil,
            !folderTable.hasFolder(in: location)
        else { return nil }
        return FolderInvitation(directory: directory, isDirectory: kind == .container)
    }

    /// Opens the assistant for the directory of an invitation.
    mutating func addFolder(
        _ call: HostCall, _ directory: ItemURI, from menu: UInt64, _ options: ActivationOptions
    ) {
        reply(call.token, .done)
        act(
            .showWindow(
                WindowRequest(
                    client: call.caller, menu: menu, item: FolderInvitation.id, view: .add, subject: directory.uri,
                    options: options)))
    }

    mutating func windowAnswered(_ request: WindowRequest, _ isShown: Bool) {
        let message = isShown ? "" : tr("Roundel's window could not be opened. Is it installed?")
        act(
            .signalActionFinished(
                client: request.client,
                FinishedAction(
                    menu: request.menu, item: request.item, outcome: isShown ? .done : .failed, message: message)))
        guard !isShown, !request.options.showsResult else { return }
        act(
            .showReport(
                ActionReport(
                    provider: "Roundel", label: FolderInvitation.label, message: message, hasFailed: true)))
    }
}
