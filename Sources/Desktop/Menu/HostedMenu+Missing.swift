internal import RoundelBus
internal import Support

extension HostedMenu {
    /// Its items, after which a line that cannot be chosen says who has not answered yet.
    var linesForNow: [MenuItem] {
        guard !incomplete.isEmpty else { return items }
        return items + [MenuItem(id: "", label: tr("Waiting for {1}…", TextList.of(incomplete)), enabled: false)]
    }
}
