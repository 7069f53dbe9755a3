internal import BadgeEngine
internal import RoundelBus
internal import Support

extension TroubledProvider {
    /// The notice that names the provider, with a button that turns it off.
    var warning: FolderNotice {
        FolderNotice(
            id: Self.notice, title: title,
            text: tr("Its badges and menus are missing or old. Turn it off if that does not end."),
            actions: [FolderNotice.Action(id: Self.turnOff, label: tr("Turn Off"))]
        ).shortened
    }

    private var title: String {
        switch trouble {
        case .silent: tr("“{1}” does not answer", name)
        case .wrong: tr("“{1}” does not work", name)
        }
    }
}
