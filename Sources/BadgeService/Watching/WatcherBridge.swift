internal import BadgeEngine
internal import DBus
internal import FileWatch
internal import Glibc
internal import RoundelBus
internal import SystemPackage

/// Stands between the engine, which speaks of URIs, and the watcher, which speaks of paths on a thread of its own.
final class WatcherBridge {
    private unowned let hub: BadgeHub
    private let watcher: FileWatcher
    private var folders = WatchedFolderTable()
    private var questions: [UInt64: Question] = [:]
    private var lastQuestion: UInt64 = 0
    private var status = WatchStatus()
    /// Folders that were not there when a provider named them, and have not been seen since.
    private var acceptedMissing: Set<ItemURI> = []

    /// What a token that was given to the watcher stands for.
    private enum Question {
        case check(Gathering<CallToken, FolderFacts>, position: Int)
        case appeared(ItemURI)
        case inspect(Gathering<RequestToken, Bool>, position: Int)
        case flush(CallToken)
        case report(ItemURI)
    }

    init(hub: BadgeHub) throws {
        self.hub = hub
        // The watcher needs the wake-up, and the wake-up's handler needs self, which needs the watcher.
        var take: () -> Void = {}
        let wakeup = try hub.loop.makeWakeup { take() }
        watcher = try FileWatcher(wake: { wakeup.signal() })
        take = { [unowned self] in takeEvents() }
    }

    /// The property `WatchStatus`.
    var statusMap: VariantMap {
        [
            "watches-used": .uint32(UInt32(clamping: status.used)),
            "watches-limit": .uint32(UInt32(clamping: status.limit)),
            "unreliable": .strings(status.unreliable.compactMap { folders.uri(of: $0)?.uri }),
        ]
    }

    // MARK: What the engine asks

    func observe(_ directory: ItemURI) { watcher.observe(directory.filePath) }

    func unobserve(_ directory: ItemURI) { watcher.unobserve(directory.filePath) }

    func setFolders(_ wanted: [WatchedFolder]) {
        let changes = folders.replace(with: wanted)
        acceptedMissing.formIntersection(wanted.map(\.folder))
        for id in changes.removed { watcher.removeFolder(id) }
        for (id, folder) in changes.set {
            watcher.setFolder(id, at: folder.folder.filePath, recursive: folder.tree)
        }
    }

    func check(_ uris: [ItemURI], for token: CallToken) {
        let check = Gathering<CallToken, FolderFacts>(token: token, count: uris.count)
        if uris.isEmpty { return hub.feed(.foldersChecked(token, [])) }
        for (position, uri) in uris.enumerated() {
            watcher.resolve(uri.filePath, token: ask(.check(check, position: position)))
        }
    }

    func inspect(_ items: [ItemURI], for token: RequestToken) {
        let inspection = Gathering<RequestToken, Bool>(token: token, count: items.count)
        if items.isEmpty { return hub.feed(.itemsInspected(token, [])) }
        for (position, uri) in items.enumerated() {
            watcher.resolve(uri.filePath, token: ask(.inspect(inspection, position: position)))
        }
    }

    func flush(_ folder: ItemURI, for token: CallToken) {
        guard let id = folders.id(of: folder) else { return hub.feed(.flushed(token)) }
        watcher.flush(id, token: ask(.flush(token)))
    }

    /// Reports that anything may have changed in a folder, once every directory in it is watched.
    func report(_ folder: ItemURI) {
        guard let id = folders.id(of: folder) else { return }
        watcher.flush(id, token: ask(.report(folder)))
    }

    private func ask(_ question: Question) -> UInt64 {
        lastQuestion += 1
        questions[lastQuestion] = question
        return lastQuestion
    }

    // MARK: What the watcher says

    private func takeEvents() {
        for event in watcher.takeEvents() { take(event) }
    }

    private func take(_ event: WatchEvent) {
        switch event {
        case .changed(let changes): forward(changes)
        case .established(let id): established(id)
        case .rootLost(let id): rootChanged(id, .missing)
        case .rootAppeared(let id):
            folders.uri(of: id).map { _ = acceptedMissing.remove($0) }
            rootChanged(id, .directory)
        case .rootReplaced(let id, let kind): rootChanged(id, kind)
        case .observing(let path): with(path) { verifyItems(in: $0) }
        case .directoryVanished(let path): with(path) { hub.feed(.directoryVanished($0)) }
        case .itemsVanished(let directory, let names):
            with(directory) { hub.feed(.itemsVanished(directory: $0, names: Self.names(names))) }
        case .itemsPresent(let directory, let names):
            with(directory) { hub.feed(.itemsPresent(directory: $0, names: Self.names(names))) }
        case .resolved(let token, let resolution): resolved(token, resolution)
        case .flushed(let token):
            flushed(questions.removeValue(forKey: token))
        case .status(let status):
            self.status = status
            hub.announce(.watchStatus)
        }
    }

    private func flushed(_ question: Question?) {
        switch question {
        case .flush(let call): hub.feed(.flushed(call))
        case .report(let folder): hub.feed(.itemsChanged(RoundelBus.FolderChanges(folder: folder, overflow: true)))
        case .check, .appeared, .inspect, nil: break
        }
    }

    /// Items that were given to a host before the directory was watched may have gone unnoticed.
    private func verifyItems(in directory: ItemURI) {
        let names = hub.engine.knownNames(in: directory).compactMap { directory.appending($0).filePath.lastComponent }
        if !names.isEmpty { watcher.verify(directory.filePath, names) }
    }

    private func forward(_ changes: TreeChanges) {
        guard let folder = folders.uri(of: changes.folder) else { return }
        let length = folder.filePath.length
        hub.feed(
            .itemsChanged(
                RoundelBus.FolderChanges(
                    folder: folder,
                    directories: changes.directories.map { Self.uri($0, below: folder, length: length) },
                    items: changes.items.map { Self.uri($0, below: folder, length: length) },
                    overflow: changes.overflow)))
    }

    /// A folder that was missing when it was accepted, and there when the watcher came to it, has appeared in between.
    private func established(_ id: FolderID) {
        hub.onRareWork?()
        guard let folder = folders.uri(of: id), acceptedMissing.remove(folder) != nil else { return }
        rootChanged(id, .directory)
        hub.feed(.itemsChanged(RoundelBus.FolderChanges(folder: folder, overflow: true)))
    }

    private func rootChanged(_ id: FolderID, _ kind: RootKind) {
        guard let folder = folders.uri(of: id) else { return }
        if kind == .directory {
            // What leads to the new root may be other links than before.
            watcher.resolve(folder.filePath, token: ask(.appeared(folder)))
        } else {
            hub.feed(.folderChanged(FolderFacts(folder: folder, kind: .init(kind))))
        }
    }

    private func resolved(_ token: UInt64, _ resolution: PathResolution) {
        switch questions.removeValue(forKey: token) {
        case .check(let check, let position):
            let facts = resolution.facts
            if let facts, facts.kind == .missing { acceptedMissing.insert(facts.folder) }
            guard check.isComplete(with: facts, at: position) else { return }
            hub.feed(.foldersChecked(check.token, check.answers.compactMap(\.self)))
        case .inspect(let inspection, let position):
            guard inspection.isComplete(with: resolution.isDirectory, at: position) else { return }
            hub.feed(.itemsInspected(inspection.token, inspection.answers))
        case .appeared:
            if let facts = resolution.facts { hub.feed(.folderChanged(facts)) }
        case .flush, .report, nil: break
        }
    }

    private func with(_ path: FilePath, _ body: (ItemURI) -> Void) {
        guard let uri = try? ItemURI(path: path) else { return }
        body(uri)
    }

    private static func names(_ components: [FilePath.Component]) -> [ItemName] {
        components.compactMap { component in
            try? ItemName(
                bytes: component.withPlatformString { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) })
        }
    }

    /// The URI of a path below a folder; a path too long for a URI is reported as its deepest ancestor that fits.
    private static func uri(_ relative: FilePath, below folder: ItemURI, length: Int) -> ItemURI {
        relative.withPlatformString { pointer in
            var (uri, length) = (folder, length)
            for segment in UnsafeRawBufferPointer(start: pointer, count: strlen(pointer)).split(separator: slash) {
                length += segment.count + 1
                guard length < ItemURI.pathLimit, let name = try? ItemName(bytes: segment) else { break }
                uri = uri.appending(name)
            }
            return uri
        }
    }

    private static let slash = UInt8(ascii: "/")
}

/// A question about several paths, answered when the last of them is known.
private final class Gathering<Token, Answer> {
    let token: Token
    private(set) var answers: [Answer?]
    private var remaining: Int

    init(token: Token, count: Int) {
        self.token = token
        answers = Array(repeating: nil, count: count)
        remaining = count
    }

    /// Takes the answer at a position; whether it was the last one.
    func isComplete(with answer: Answer?, at position: Int) -> Bool {
        answers[position] = answer
        remaining -= 1
        return remaining == 0
    }
}
