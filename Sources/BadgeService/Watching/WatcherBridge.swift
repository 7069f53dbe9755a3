internal import BadgeEngine
internal import DBus
internal import FileWatch
internal import RoundelBus
internal import SystemPackage

/// Connects the service with the watcher, which has its own thread: carries out the steps that ``WatchLedger`` decides.
final class WatcherBridge {
    private let loop: EventLoop
    private let watcher: FileWatcher
    private let knownNames: (ItemURI) -> [ItemName]
    private let feed: (Event) -> Void
    private let onStatus: () -> Void
    private let onFolderWatched: () -> Void
    private var ledger = WatchLedger()
    /// One provider's folders may cause thousands of events at once; in portions, other work can run in between.
    private lazy var events = PortionedWork(loop, portion: Self.eventsPerPortion) { [unowned self] event in
        perform(ledger.handle(event))
    }

    private static let eventsPerPortion = 32

    /// - Parameters:
    ///   - knownNames: The names in an observed directory that hosts were given.
    ///   - feed: Passes an event to the engine.
    ///   - onStatus: Called when ``statusMap`` has changed.
    ///   - onFolderWatched: Called when a folder is watched for the first time.
    init(
        loop: EventLoop, knownNames: @escaping (ItemURI) -> [ItemName], feed: @escaping (Event) -> Void,
        onStatus: @escaping () -> Void, onFolderWatched: @escaping () -> Void
    ) throws {
        self.loop = loop
        self.knownNames = knownNames
        self.feed = feed
        self.onStatus = onStatus
        self.onFolderWatched = onFolderWatched
        // The watcher needs the wake-up, and the wake-up's handler needs self, which needs the watcher.
        var handle: () -> Void = {}
        let wakeup = try loop.makeWakeup { handle() }
        watcher = try FileWatcher(wake: { wakeup.signal() })
        handle = { [unowned self] in events.append(contentsOf: watcher.takeEvents()) }
    }

    /// The property `WatchStatus`.
    var statusMap: VariantMap {
        [
            "watches-used": .uint32(UInt32(clamping: ledger.status.used)),
            "watches-limit": .uint32(UInt32(clamping: ledger.status.limit)),
            "unreliable": .strings(ledger.unreliableFolders.map(\.uri)),
        ]
    }

    func observe(_ directory: ItemURI) { watcher.observe(directory.filePath) }

    func unobserve(_ directory: ItemURI) { watcher.unobserve(directory.filePath) }

    func follow(_ link: PlaceLink) {
        watcher.follow(PathAlias(link: link.link.filePath, target: link.target.filePath))
    }

    func unfollow(_ link: ItemURI) { watcher.unfollow(link.filePath) }

    func setFolders(_ wanted: [WatchedFolder]) { perform(ledger.setFolders(wanted)) }

    func check(_ uris: [ItemURI], for token: CallToken) { perform(ledger.check(uris, for: token)) }

    func inspect(_ items: [ItemURI], for token: RequestToken) { perform(ledger.inspect(items, for: token)) }

    func find(_ directories: [ItemURI], for token: RequestToken) { perform(ledger.find(directories, for: token)) }

    func flush(_ folder: ItemURI, for token: CallToken) { perform(ledger.flush(folder, for: token)) }

    /// Reports that anything may have changed in a folder, once every directory in it is watched.
    func report(_ folder: ItemURI) { perform(ledger.report(folder)) }

    private func perform(_ steps: [WatchLedger.Step]) {
        for step in steps {
            switch step {
            case .setFolder(let id, let path, let recursive): watcher.setFolder(id, at: path, recursive: recursive)
            case .removeFolder(let id): watcher.removeFolder(id)
            case .resolve(let path, let token): watcher.resolve(path, token: token)
            case .locate(let path, let token): watcher.locate(path, token: token)
            case .flush(let folder, let token): watcher.flush(folder, token: token)
            case .verifyItems(let directory): verifyItems(in: directory)
            case .feed(let event): feed(event)
            case .announceStatus: onStatus()
            case .folderEstablished: onFolderWatched()
            }
        }
    }

    private func verifyItems(in directory: ItemURI) {
        let names = knownNames(directory).compactMap { directory.appending($0).filePath.lastComponent }
        if !names.isEmpty { watcher.verify(directory.filePath, names) }
    }
}
