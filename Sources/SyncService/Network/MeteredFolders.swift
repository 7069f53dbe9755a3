internal import DBus

/// Lets the folders that use a network know whether the connection is metered.
final class MeteredFolders {
    private let book: FolderBook
    private let loop: EventLoop
    private lazy var connection = MeteredConnection(loop: loop) { [unowned self] isMetered in
        for unit in book.folders.all { unit.network?.handle(.metered(isMetered)) }
    }

    init(_ book: FolderBook, loop: EventLoop) { (self.book, self.loop) = (book, loop) }

    /// A folder is in the book from now on.
    func come(_ unit: FolderUnit) {
        guard let network = unit.network else { return }
        connection.follow()
        network.handle(.metered(connection.isMetered))
    }

    /// Work in a folder began or ended: a bus connection that was lost may be available again.
    func workChanged() {
        if book.folders.all.contains(where: \.usesNetwork) { connection.follow() }
    }

    /// Calls `body` once it is known whether the connection is metered, if the folder needs to know.
    func whenKnown(for unit: FolderUnit, _ body: @escaping () -> Void) {
        if unit.usesNetwork { connection.whenKnown(body) } else { body() }
    }

    func stop() { connection.close() }
}
