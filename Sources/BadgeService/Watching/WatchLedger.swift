internal import BadgeEngine
internal import FileWatch
internal import RoundelBus
internal import SystemPackage

/// Translates between the engine, which identifies folders by their URIs, and the watcher, which uses numbers and
/// paths. Pure: it returns the steps to perform.
struct WatchLedger {
    enum Step {
        case setFolder(FolderID, FilePath, recursive: Bool)
        case removeFolder(FolderID)
        case resolve(FilePath, token: UInt64)
        case locate(FilePath, token: UInt64)
        case flush(FolderID, token: UInt64)
        /// Items sent to a host before the directory was watched may have been removed since.
        case verifyItems(in: ItemURI)
        case feed(Event)
        /// The property `WatchStatus` has changed.
        case announceStatus
        /// A folder is watched for the first time.
        case folderEstablished
    }

    private var folders = WatchedFolderTable()
    private var questions = WatchQuestions()
    /// Folders that were missing when a provider named them, and have not been seen since.
    private var acceptedMissing: Set<ItemURI> = []
    /// How many watches are in use.
    private(set) var status = WatchStatus()

    /// The folders that are not watched, or not completely.
    var unreliableFolders: [ItemURI] { status.unreliable.compactMap { folders.uri(of: $0) } }

    // MARK: Requests of the engine

    mutating func setFolders(_ wanted: [WatchedFolder]) -> [Step] {
        let changes = folders.replace(with: wanted)
        acceptedMissing.formIntersection(wanted.map(\.folder))
        return changes.removed.map { .removeFolder($0) }
            + changes.set.map { .setFolder($0, $1.folder.filePath, recursive: $1.tree) }
    }

    mutating func check(_ uris: [ItemURI], for token: CallToken) -> [Step] {
        if uris.isEmpty { return [.feed(.foldersChecked(token, []))] }
        return resolve(uris, questions.ask(factsOf: uris.count, for: token))
    }

    mutating func inspect(_ items: [ItemURI], for token: RequestToken) -> [Step] {
        if items.isEmpty { return [.feed(.itemsInspected(token, []))] }
        return resolve(items, questions.ask(kindsOf: items.count, for: token))
    }

    mutating func find(_ directories: [ItemURI], for token: RequestToken) -> [Step] {
        let tokens = questions.ask(placesOf: directories.count, for: token)
        return zip(directories, tokens).map { .locate($0.filePath, token: $1) }
    }

    private func resolve(_ uris: [ItemURI], _ tokens: [UInt64]) -> [Step] {
        zip(uris, tokens).map { .resolve($0.filePath, token: $1) }
    }

    mutating func flush(_ folder: ItemURI, for token: CallToken) -> [Step] {
        guard let id = folders.id(of: folder) else { return [.feed(.flushed(token))] }
        return [.flush(id, token: questions.ask(.flush(token)))]
    }

    /// Reports that anything may have changed in a folder, once every directory in it is watched.
    mutating func report(_ folder: ItemURI) -> [Step] {
        guard let id = folders.id(of: folder) else { return [] }
        return [.flush(id, token: questions.ask(.report(folder)))]
    }

    // MARK: Reports of the watcher

    mutating func handle(_ event: WatchEvent) -> [Step] {
        switch event {
        case .changed(let changes):
            return folders.uri(of: changes.folder).map { [.feed(.itemsChanged(.init(changes, of: $0)))] } ?? []
        case .established(let id): return [.folderEstablished] + established(id)
        case .rootLost(let id): return rootChanged(id, .missing)
        case .rootAppeared(let id):
            if let folder = folders.uri(of: id) { acceptedMissing.remove(folder) }
            return rootChanged(id, .directory)
        case .rootReplaced(let id, let kind): return rootChanged(id, kind)
        case .observing(let path): return steps(path) { .verifyItems(in: $0) }
        case .directoryVanished(let path): return steps(path) { .feed(.directoryVanished($0)) }
        case .directoryReturned(let path): return steps(path) { .feed(.directoryReturned($0)) }
        case .linkChanged(let link): return steps(link) { .feed(.linkChanged($0)) }
        case .itemsVanished(let directory, let names):
            return steps(directory) { .feed(.itemsVanished(directory: $0, names: ItemName.names(of: names))) }
        case .itemsPresent(let directory, let names):
            return steps(directory) { .feed(.itemsPresent(directory: $0, names: ItemName.names(of: names))) }
        case .resolved(let token, let resolution): return resolved(token, resolution).map { [.feed($0)] } ?? []
        case .located(let token, let places, let links): return located(token, places, links).map { [.feed($0)] } ?? []
        case .flushed(let token): return flushed(token).map { [.feed($0)] } ?? []
        case .status(let status):
            self.status = status
            return [.announceStatus]
        }
    }

    private func steps(_ path: FilePath, _ step: (ItemURI) -> Step) -> [Step] {
        (try? ItemURI(path: path)).map { [step($0)] } ?? []
    }

    /// If a folder was missing when it was accepted but existed when the watcher examined it, reports that it has
    /// appeared.
    private mutating func established(_ id: FolderID) -> [Step] {
        guard let folder = folders.uri(of: id), acceptedMissing.remove(folder) != nil else { return [] }
        return rootChanged(id, .directory) + [.feed(Self.everythingChanged(in: folder))]
    }

    private mutating func rootChanged(_ id: FolderID, _ kind: RootKind) -> [Step] {
        guard let folder = folders.uri(of: id) else { return [] }
        guard kind == .directory else { return [.feed(.folderChanged(FolderFacts(folder: folder, kind: .init(kind))))] }
        // The path to the new root may contain other links than before.
        return [.resolve(folder.filePath, token: questions.ask(.appeared))]
    }

    private mutating func resolved(_ token: UInt64, _ resolution: PathResolution) -> Event? {
        switch questions.remove(token) {
        case .check(let call, let number):
            let facts = resolution.facts
            if let facts, facts.kind == .missing { acceptedMissing.insert(facts.folder) }
            return questions.answer(number, with: facts).map { .foldersChecked(call, $0) }
        case .inspect(let request, let number):
            return questions.answer(number, isDirectory: resolution.isDirectory).map { .itemsInspected(request, $0) }
        case .appeared: return resolution.facts.map { .folderChanged($0) }
        case .flush, .report, .find, nil: return nil
        }
    }

    private mutating func located(_ token: UInt64, _ places: [FilePath], _ links: [PathAlias]) -> Event? {
        guard case .find(let request, let number) = questions.remove(token) else { return nil }
        let found = FoundDirectory(
            places: places.compactMap { try? ItemURI(path: $0) }, links: links.compactMap { PlaceLink($0) })
        return questions.answer(number, with: found).map { .placesFound(request, $0) }
    }

    private mutating func flushed(_ token: UInt64) -> Event? {
        switch questions.remove(token) {
        case .flush(let call): .flushed(call)
        case .report(let folder): Self.everythingChanged(in: folder)
        case .check, .appeared, .inspect, .find, nil: nil
        }
    }

    private static func everythingChanged(in folder: ItemURI) -> Event {
        .itemsChanged(RoundelBus.FolderChanges(folder: folder, overflow: true))
    }
}
