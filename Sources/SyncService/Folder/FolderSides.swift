internal import MountProtocol
internal import Remotes
internal import RoundelBus
internal import Support
internal import SyncCore
internal import SyncEngine
internal import SystemPackage

/// The two sides of a synced folder, with what the connection to a remote behind a network needs.
struct FolderSides {
    /// The connection to the remote side.
    let connection: RemoteConnection
    /// The bandwidth limit of transfers; nil for a remote that needs no network.
    let pace: TransferPace?
    /// The records of large transfers, which are resumed after a restart; nil if transfers cannot be resumed.
    private let ledger: TransferLedger?
    private let owner: EntryName
    private let state: FilePath
    private let dataHome: FilePath
    private let freeSpaceFloor: FreeSpaceFloor
    private let ownPlaces: OwnPlaces
    /// The directory of the remote; nil if it is not one of this computer.
    private let remoteDirectory: FilePath?
    /// The worker's end of a folder on demand; nil for an ordinary one.
    let contents: MountedContents?
    /// How much of the disk transfers leave free.
    var floor: FreeSpaceFloor { freeSpaceFloor }

    /// - Throws: `Failed` for an ID that no folder can have.
    init(
        _ settings: FolderSettings, _ all: WorkerSettings, remote place: any RemotePlace, _ places: WorkerPlaces
    ) throws(WorkerError) {
        guard let owner = EntryName(settings.id) else { throw .notValid(settings.id) }
        self.owner = owner
        state = places.state(of: settings.id)
        dataHome = places.dataHome
        freeSpaceFloor = FreeSpaceFloor(bytes: all.keepFree)
        ownPlaces = OwnPlaces(places)
        // A removal that was interrupted goes on, and needs to know what is kept.
        if settings.onDemand?.step != .removing {
            do throws(Errno) { try FolderClearing.finish(in: state) } catch {
                throw WorkerError(
                    .failed, tr("The state of “{1}” cannot be opened: {2}", settings.label, "\(error)"))
            }
        }
        remoteDirectory = place.directory
        contents = settings.isOnDemand ? MountPlaces(name: settings.id).map { MountedContents(socket: $0.socket) } : nil
        let pace = TransferPace(settings.network?.plan ?? BandwidthPlan())
        let ledger = TransferLedger(at: state.appending("transfers.sqlite"))
        connection = place.open(
            for: RemoteUse(
                owner: owner, leaving: freeSpaceFloor,
                findings: RemoteFindings(traits: settings.traits, identity: settings.server), transfers: ledger,
                pace: pace))
        self.pace = place.needsNetwork ? pace : nil
        self.ledger = connection.resumesTransfers ? ledger : nil
    }

    /// The local side at a place, without opening anything there.
    func local(at uri: ItemURI) -> any LocalEndpoint {
        DiskEndpoints.local(
            at: uri.filePath, stateDirectory: state, dataHome: dataHome, owner: owner, leaving: freeSpaceFloor,
            transfers: ledger, contents: contents)
    }

    /// What is not synced of the sides, the local one at this place: what is excluded on one is on both.
    func patterns(_ settings: FolderSettings, at uri: ItemURI) -> ExcludePatterns {
        let roots = [uri.filePath] + [remoteDirectory].compactMap(\.self)
        return settings.patterns(guarding: roots.flatMap { ownPlaces.places(below: $0) })
    }

    /// An engine that syncs the sides, the local one at this place.
    func engine(
        _ settings: FolderSettings, tag: String, at uri: ItemURI, on loop: LoopControl
    ) throws(WorkerError) -> SyncFolder {
        do {
            var configuration = SessionConfiguration(
                tag: tag, excludes: patterns(settings, at: uri), isPaused: settings.paused,
                pauses: Patience.Syncing.session)
            configuration.computer = ComputerName.label
            configuration.isOnDemand = settings.isOnDemand
            configuration.isUploadOnly = settings.uploadOnly != nil
            configuration.trashesUploaded = settings.uploadOnly?.trashesUploaded ?? false
            return try SyncFolder(
                id: settings.id, path: uri.filePath, storePath: state.appending("trees.sqlite"), local: local(at: uri),
                remote: connection.remote, configuration: configuration, transfers: ledger, loop: loop)
        } catch {
            throw WorkerError(
                .failed, tr("The state of “{1}” cannot be opened: {2}", ShownPath.short(uri.filePath), "\(error)"))
        }
    }
}

extension WorkerError {
    static func notValid(_ id: String) -> WorkerError {
        WorkerError(.failed, tr("The folder's id “{1}” is not valid.", id))
    }
}
