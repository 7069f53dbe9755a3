internal import DBus

/// Lets the folders finish what is in flight before the machine sleeps, and go on when it is awake.
final class SleepingFolders {
    private let book: FolderBook
    private let loop: EventLoop
    private lazy var inhibitor = SleepInhibitor(loop: loop) { [unowned self] in
        hold($0)
    } goOn: { [unowned self] in
        for unit in book.folders.all { unit.goOn() }
    }

    init(_ book: FolderBook, loop: EventLoop) { (self.book, self.loop) = (book, loop) }

    /// Work in a folder began or ended.
    func workChanged() { inhibitor.setBusy(book.folders.all.contains { $0.isInFlight }) }

    func stop() { inhibitor.close() }

    private func hold(_ onRest: @escaping () -> Void) {
        let units = book.folders.all
        var remaining = units.count
        if remaining == 0 { return onRest() }
        for unit in units {
            unit.hold {
                remaining -= 1
                if remaining == 0 { onRest() }
            }
        }
    }
}
