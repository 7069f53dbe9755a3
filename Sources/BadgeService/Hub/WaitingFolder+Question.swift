internal import BadgeEngine
internal import RoundelBus
internal import Support

extension WaitingFolder {
    /// The notice that asks the user for consent.
    var question: FolderNotice {
        FolderNotice(
            id: Self.notice, title: Texts.allow(name, in: folder.shownPlace),
            text: Texts.reason(folder.shownPlace, isInside: isInside, other.folder.shownPlace, of: otherName),
            actions: [FolderNotice.Action(id: Self.allow, label: Texts.allow)]
        ).shortened
    }
}
