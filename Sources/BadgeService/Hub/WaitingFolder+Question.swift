internal import BadgeEngine
internal import RoundelBus
internal import Support

extension WaitingFolder {
    /// The notice that asks the user for consent.
    var question: FolderNotice {
        FolderNotice(
            id: Self.notice, title: tr("Allow “{1}” to show badges in {2}", name, folder.shownPlace),
            text: Self.reason(folder.shownPlace, isInside: isInside, other.folder.shownPlace, of: otherName),
            actions: [FolderNotice.Action(id: Self.allow, label: tr("Allow"))]
        ).shortened
    }

    /// Why it asks: which folder contains the new one, or is inside it.
    private static func reason(_ folder: String, isInside: Bool, _ other: String, of provider: String) -> String {
        isInside
            ? tr("{1} is inside {2}, where “{3}” shows badges now.", folder, other, provider)
            : tr("{1} contains {2}, where “{3}” shows badges and goes on doing so.", folder, other, provider)
    }
}
