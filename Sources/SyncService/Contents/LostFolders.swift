internal import DBus
internal import RoundelBus
internal import Support
internal import SyncCore

/// Waits for folders on demand that were lost with their mount.
///
/// Where the program of a mount ends while the engine records what it did there, the engine begins again, and nothing is
/// known of the folder's items until it is mounted. The program is usually there again in a moment, which is waited for.
final class LostFolders {
    private struct Wait {
        let uris: [ItemURI]
        let end: Instant
        let body: () -> Void
    }

    private let book: FolderBook
    private let loop: EventLoop
    private var waits: [Wait] = []
    private lazy var timer = loop.makeTimer { [unowned self] in lookAgain() }

    init(_ book: FolderBook, loop: EventLoop) { (self.book, self.loop) = (book, loop) }

    /// Does something with items, at once if nothing of their folders is lost; otherwise when they are known again, or
    /// could not be mounted.
    func whenKnown(_ uris: [ItemURI], _ body: @escaping () -> Void) {
        follow(Wait(uris: uris, end: .now + Patience.Worker.mount, body: body))
    }

    private func follow(_ wait: Wait) {
        let lost = wait.uris.lazy.compactMap { [book] in book.folders.unit(holding: $0) }.first { $0.isLostWithMount }
        guard let mount = lost?.contents?.mount, mount.isWanted, .now < wait.end else { return wait.body() }
        mount.begin { [weak self] in
            guard let self, mount.isThere else { return wait.body() }
            // The engine begins again a moment after it is there.
            waits.append(wait)
            if !timer.isSet { timer.set(after: Patience.Worker.mountRetry) }
        }
    }

    private func lookAgain() {
        let due = waits
        waits = []
        for wait in due { follow(wait) }
    }
}
