import CLinux
import Glibc
import Support
import SystemPackage

/// The watcher's thread: waits for events, commands and deadlines, and passes them to its parts in order.
///
/// The order of work avoids gaps: a directory is watched before it is listed, listed before its subdirectories are
/// watched, and items in a listing are handled like those in an event. If an outdated event changes the tree wrongly,
/// later events correct that, because every change causes one.
final class Watcher {
    private let commands: CommandMailbox
    private let gate: MountGate
    private let opener: DirectoryOpener
    private let anchors = AnchorTable()
    private let tree = AnchoredTree()
    private let backlog = Backlog()
    private let watches: DirectoryWatches
    private let router: ChangeRouter
    private let locator: AnchorLocator
    private let follower: EventFollower
    private let scanner: DirectoryScanner
    private let items: ObservedItems
    private var helpers = ResolveHelpers()
    private var announcer: Announcer
    /// The tokens of resolutions for `locate` commands, of which only the places are reported.
    private var located: Set<UInt64> = []

    private var now = Instant.now
    private var isStopped = false
    private var polled = [pollfd](repeating: pollfd(), count: 3)
    private var hasJustRead = false
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 131072, alignment: 8)

    init(source: any EventSource, settings: WatcherSettings, commands: CommandMailbox, outbox: WatchOutbox) {
        self.commands = commands
        announcer = Announcer(outbox: outbox)
        gate = MountGate(path: settings.mountTable)
        opener = DirectoryOpener(gate: gate)
        let listing = DirectoryListing()
        watches = DirectoryWatches(
            source: source, systemLimit: settings.watchLimit, tree: tree, backlog: backlog, opener: opener)
        router = ChangeRouter(tree: tree)
        locator = AnchorLocator(
            anchors: anchors, tree: tree, watches: watches, backlog: backlog, opener: opener, gate: gate)
        follower = EventFollower(anchors: anchors, tree: tree, watches: watches, backlog: backlog, router: router)
        scanner = DirectoryScanner(
            tree: tree, watches: watches, backlog: backlog, router: router, opener: opener, gate: gate,
            listing: listing)
        items = ObservedItems(tree: tree, opener: opener, gate: gate, listing: listing)
    }

    deinit {
        buffer.deallocate()
    }

    /// Runs until ``Command/stop``.
    func run() {
        while !isStopped {
            let ready = wait()
            now = .now
            if ready.mounts || gate.hasNewer { mountsChanged() }
            if ready.commands {
                for command in commands.takeAll() { handle(command) }
            }
            if ready.events { readEvents() }
            follower.expireMoves(at: now)
            locateAnchors()
            scan()
            locateAnchors()
            watches.retryRefused(anchors)
            deliver()
            // An open directory would prevent unmounting its file system.
            if !backlog.hasScans { opener.forgetAll() }
        }
    }

    // MARK: Waiting

    private struct Ready {
        var commands: Bool
        var events: Bool
        var mounts: Bool
    }

    /// While events keep arriving, they are read every two milliseconds and not one by one: they are not reported
    /// sooner anyway, and a command still wakes the thread immediately.
    private func wait() -> Ready {
        let isBusy = hasJustRead
        hasJustRead = false
        polled[0] = pollfd(fd: commands.descriptor, events: Int16(POLLIN), revents: 0)
        polled[1] = pollfd(fd: gate.descriptor, events: Int16(POLLPRI), revents: 0)
        polled[2] = pollfd(fd: watches.descriptor, events: Int16(POLLIN), revents: 0)
        let due = timeout()
        let limit = isBusy ? min(due < 0 ? 2 : due, 2) : due
        let count = poll(&polled, isBusy ? 2 : 3, limit)
        if count < 0 { return Ready(commands: false, events: false, mounts: false) }
        return Ready(
            commands: polled[0].revents != 0, events: isBusy || polled[2].revents != 0,
            mounts: polled[1].revents & Int16(POLLPRI) != 0)
    }

    /// Milliseconds until something is due, rounded up; -1 if nothing is.
    private func timeout() -> Int32 {
        if !backlog.isEmpty || gate.hasNewer { return 0 }
        let deadlines = (follower.movesDeadline, helpers.deadline, anchors.deadline)
        let due = min(deadlines.0 ?? .max, deadlines.1 ?? .max, deadlines.2 ?? .max)
        return due == .max ? -1 : Instant.now.duration(to: due).pollTimeout
    }

    // MARK: Reading

    /// Reads a limited number of times, so that a folder with many events leaves time for the rest.
    private func readEvents() {
        for _ in 0..<8 {
            if readOnce() == 0 { return }
            hasJustRead = true
        }
    }

    /// Reads at least the events that are waiting now.
    private func readEverythingThatWaits() {
        var waiting = Int(clinux_bytes_waiting(watches.descriptor))
        while waiting > 0 {
            let count = readOnce()
            if count == 0 { return }
            waiting -= count
        }
    }

    private func readOnce() -> Int {
        let count = watches.readEvents(into: buffer)
        if count > 0 {
            InotifyRecord.forEach(in: UnsafeRawBufferPointer(rebasing: buffer[..<count])) { record in
                if record.has(IN_Q_OVERFLOW) { eventsWereLost() } else { follower.handle(record, at: now) }
            }
        }
        return count
    }

    private func eventsWereLost() {
        follower.expireMoves(all: true, at: now)
        follower.doubtFolders(at: now)
        for anchor in anchors.all { backlog.locate(anchor) }
        for anchor in anchors.observed {
            guard let names = items.present(in: anchor) else { continue }
            _ = anchor.releaseVanished()
            announcer.append(.itemsPresent(directory: anchor.path, names: names))
        }
    }

    // MARK: Commands

    private func handle(_ command: Command) {
        switch command {
        case .setFolder(let id, let path, let recursive):
            setFolder(id, path, recursive: recursive)
        case .removeFolder(let id):
            if let anchor = anchors[id] { remove(anchor) }
        case .observe(let path):
            if anchors[observed: path] == nil { insert(Anchor(role: .observed, path: path)) }
        case .unobserve(let path):
            if let anchor = anchors[observed: path] { remove(anchor) }
        case .follow(let link):
            if let known = anchors[link: link.link] { remove(known) }
            insert(Anchor(role: .link(target: link.target), path: link.link))
        case .unfollow(let link):
            if let anchor = anchors[link: link] { remove(anchor) }
        case .verify(let path, let names):
            guard let anchor = anchors[observed: path] else { return }
            for name in items.gone(names, from: anchor) { anchor.noteVanished(name, at: now) }
        case .flush(let folder, let token):
            beginFlush(folder, token)
        case .resolve(let path, let token):
            resolve(path, token)
        case .locate(let path, let token):
            located.insert(token)
            // Whatever the last component is, it is followed to a directory.
            resolve(path.appending("."), token)
        case .finishResolving(let serial, let resolution):
            if let token = helpers.finish(serial) { answer(token, resolution) }
        case .pause(let gate):
            gate.pass()
        case .stop:
            isStopped = true
        }
    }

    private func setFolder(_ id: FolderID, _ path: FilePath, recursive: Bool) {
        let anchor = Anchor(role: .folder(id, recursive: recursive), path: path)
        if let known = anchors[id] {
            if known.role == anchor.role, known.path == path { return }
            remove(known)
        }
        insert(anchor)
    }

    private func insert(_ anchor: Anchor) {
        anchors.insert(anchor)
        backlog.locate(anchor)
    }

    private func remove(_ anchor: Anchor) {
        anchors.remove(anchor)
        watches.remove(anchor)
    }

    /// The kernel has queued every change made so far. Once its queue is read and the resulting scans are done, no
    /// change is missing.
    private func beginFlush(_ folder: FolderID, _ token: UInt64) {
        locateAnchors()
        readEverythingThatWaits()
        follower.expireMoves(all: true, at: now)
        if anchors[folder]?.lacksWatches ?? false { watches.renewLimit(anchors) }
        announcer.flush(folder, token)
    }

    private func resolve(_ path: FilePath, _ token: UInt64) {
        switch PathResolver(mounts: gate.table, gate: gate).resolve(path) {
        case .resolved(let resolution):
            answer(token, resolution)
        case .unwatchable(let resolution):
            let mount = gate.table.mount(covering: resolution.resolved)
            let request = ResolveHelpers.Request(
                token: token, path: path, mounts: gate.table, mount: mount?.id ?? 0, fallback: resolution)
            if !helpers.start(request, at: now, reportingTo: commands) { answer(token, resolution) }
        }
    }

    private func answer(_ token: UInt64, _ resolution: PathResolution) {
        if located.remove(token) == nil { return announcer.append(.resolved(token: token, resolution)) }
        let isDirectory = resolution.kind == .directory || resolution.kind == .fileSystemRoot
        let places = isDirectory ? gate.table.places(of: resolution.resolved) : []
        announcer.append(.located(token: token, places, links: isDirectory ? resolution.aliases : []))
    }

    // MARK: Anchors

    /// Follows the path of every queued anchor. One may queue another, but each pass removes outdated data.
    private func locateAnchors() {
        for _ in 0..<8 where backlog.hasAnchors {
            for anchor in backlog.removeAnchors() where anchors.isCurrent(anchor) { update(anchor) }
        }
    }

    private func update(_ anchor: Anchor) {
        var before = anchor.state
        let (identity, watch) = (anchor.identity, watch(of: anchor))
        locator.locate(anchor)
        // A file system that was unmounted and mounted again gives its directories the same numbers. What was done between
        // the two watches was not seen.
        if case .attached = before, self.watch(of: anchor) != watch { before = .dropped }
        switch anchor.role {
        case .folder(let folder, recursive: _):
            let isSame = anchor.identity == identity
            perform(RootTransition(of: folder, from: before, to: anchor.state, isSame: isSame), folder, anchor)
        case .observed: reportObserved(anchor, identifiedAs: identity)
        case .link(let target): reportLink(anchor, leadingTo: target)
        }
    }

    private func watch(of anchor: Anchor) -> Int32? { anchor.node.flatMap { tree.nodes.watch(of: $0) } }

    private func perform(_ transition: RootTransition, _ folder: FolderID, _ anchor: Anchor) {
        if let event = transition.event { announcer.append(event) }
        switch transition.step {
        case .none: break
        case .scan: beginScan(folder, anchor)
        case .scanAsChanged:
            router.noteOverflow(anchor, at: now)
            beginScan(folder, anchor)
        case .lose:
            if anchor.isEstablished { router.noteOverflow(anchor, at: now) }
            anchor.setLacksWatches(false)
        }
    }

    private func beginScan(_ folder: FolderID, _ anchor: Anchor) {
        guard anchor.node != nil else { return }
        if anchor.isRecursive {
            // Directories below the root may be known for other anchors, without what is in them.
            watches.rescan(anchor)
        } else if !anchor.isEstablished {
            anchor.establish()
            announcer.append(.established(folder))
        }
    }

    /// Reports whether the directory is at its place, and whether it is another one than before.
    private func reportObserved(_ anchor: Anchor, identifiedAs before: Anchor.Identity?) {
        switch anchor.state {
        case .unwatchable, .pending, .dropped: return
        case .missing, .blocked: reportAbsence(of: anchor)
        case .attached:
            if before != nil, before != anchor.identity { reportAbsence(of: anchor) }
            if anchor.isToldAbsent {
                anchor.tell(absent: false)
                announcer.append(.directoryReturned(anchor.path))
            }
            announcer.append(.observing(anchor.path))
        }
    }

    private func reportAbsence(of anchor: Anchor) {
        guard !anchor.isToldAbsent else { return }
        anchor.tell(absent: true)
        // Its items disappeared with it; those of another directory must not be checked by their names.
        _ = anchor.releaseVanished()
        announcer.append(.directoryVanished(anchor.path))
    }

    /// Stops watching a link that leads elsewhere. It is already watched at this point, so no change is missed.
    private func reportLink(_ anchor: Anchor, leadingTo target: FilePath) {
        let path = anchor.path.appending(".")
        guard case .resolved(let resolution) = PathResolver(mounts: gate.table, gate: gate).resolve(path) else {
            return
        }
        let isDirectory = resolution.kind == .directory || resolution.kind == .fileSystemRoot
        if isDirectory, resolution.resolved == target { return }
        remove(anchor)
        announcer.append(.linkChanged(anchor.path))
    }

    private func scan() {
        guard scanner.scanSlice(at: now) else { return }
        for folder in anchors.establish() { announcer.append(.established(folder)) }
    }

    // MARK: Mounts

    /// Called when something was mounted or unmounted.
    private func mountsChanged() {
        let old = gate.table
        gate.renew()
        let points = gate.table.changedPoints(since: old)
        guard !points.isEmpty else { return }
        opener.forgetAll()
        for anchor in anchors.all {
            if points.contains(where: { anchor.resolved.isAtOrBelow($0) }) {
                backlog.locate(anchor)
            } else if anchor.isRecursive, points.contains(where: { $0.isAtOrBelow(anchor.resolved) }) {
                mountsChanged(below: anchor)
            }
        }
    }

    private func mountsChanged(below anchor: Anchor) {
        anchor.setUnwatchablePoints(gate.table.unwatchablePoints(below: anchor.resolved))
        for point in anchor.unwatchablePoints {
            if let node = tree.node(at: point) { watches.removeSubtree(node) }
        }
        router.noteOverflow(anchor, at: now)
        watches.rescan(anchor)
    }

    // MARK: Delivery

    /// Reports everything that is due.
    private func deliver() {
        for (token, fallback) in helpers.expire(at: now) { answer(token, fallback) }
        let isQuiet = backlog.isEmpty
        let flushed = isQuiet ? announcer.flushedFolders : []
        for anchor in anchors.folders {
            let isDue = anchor.changesDeadline.map { $0 <= now } ?? false
            guard isDue || anchor.folder.map(flushed.contains) ?? false else { continue }
            if let changes = router.releaseChanges(of: anchor) { announcer.append(.changed(changes)) }
        }
        for anchor in anchors.observed {
            let isDue = anchor.vanishedDeadline.map { $0 <= now || !flushed.isEmpty } ?? false
            if isDue { reportVanished(anchor) }
        }
        let status = WatchStatus(used: tree.nodes.watchCount, limit: watches.limit, unreliable: anchors.unreliable)
        announcer.report(status, mayWait: !isQuiet)
        if isQuiet { announcer.answerFlushes() }
        announcer.send()
    }

    private func reportVanished(_ anchor: Anchor) {
        let names = items.missing(anchor.releaseVanished(), from: anchor)
        if !names.isEmpty { announcer.append(.itemsVanished(directory: anchor.path, names: names)) }
    }
}
