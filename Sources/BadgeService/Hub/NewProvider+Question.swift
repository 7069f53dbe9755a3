internal import BadgeEngine
internal import RoundelBus
internal import Support

extension NewProvider {
    /// The notice that asks the user whether the provider may be on.
    var question: FolderNotice {
        FolderNotice(
            id: Self.notice, title: tr("Turn on “{1}”?", name), text: text,
            actions: [
                FolderNotice.Action(id: Self.turnOn, label: tr("Turn On")),
                FolderNotice.Action(id: Self.leaveOff, label: tr("Not Now")),
            ]
        ).shortened
    }

    private var text: String {
        if let app {
            return tr(
                """
                The app {1} runs in a sandbox. It wants to show badges and menus in your file manager, for folders that it \
                can open, and shows nothing before you turn it on.
                """, app.id)
        }
        let off = tr("It was just installed, and shows nothing in your file manager before you turn it on.")
        return summary.isEmpty ? off : "\(summary)\n\(off)"
    }
}
