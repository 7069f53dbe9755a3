internal import Rclone
internal import RoundelBus
internal import Support
internal import SyncCore
internal import SyncEngine
internal import SystemPackage
internal import WebDAV

/// The two sides of a synced folder, with what the connection to a remote behind a network needs.
struct FolderSides {
    /// The remote side.
    let remote: any Remote
    /// The server that the folder syncs with; nil for a directory and for a remote of rclone.
    let server: ServerConnection?
    /// The records of large transfers, which are resumed after a restart; nil if transfers cannot be resumed.
    let ledger: TransferLedger?
    /// The bandwidth limit of transfers; nil for a directory.
    let pace: TransferPace?
    private let owner: EntryName
    private let state: FilePath
    private let dataHome: FilePath
    private let freeSpaceFloor: FreeSpaceFloor
    private let ownPlaces: OwnPlaces
    /// The path of the remote; nil if it is not a local directory.
    private let remotePath: FilePath?

    /// - Throws: `Failed` for an ID that no folder can have.
    init(_ settings: FolderSettings, remote address: RemoteAddress, service: Worker) throws(WorkerError) {
        guard let owner = EntryName(settings.id) else { throw .notValid(settings.id) }
        self.owner = owner
        state = service.places.state(of: settings.id)
        dataHome = service.places.dataHome
        freeSpaceFloor = service.freeSpaceFloor
        ownPlaces = OwnPlaces(service.places)
        remotePath = SyncedPlace(id: settings.id, folder: "/", remote: address).remotePath
        switch address {
        case .directory(let path):
            (server, ledger, pace) = (nil, nil, nil)
            remote = DiskEndpoints.remote(at: path, owner: owner, leaving: freeSpaceFloor)
        case .server(let place):
            let pace = TransferPace(settings.network?.plan ?? BandwidthPlan())
            let traits = ServerTraits(names: settings.traits ?? [])
            let server = ServerConnection(place, from: service.logins, traits: traits, pace: pace)
            let ledger = TransferLedger(at: state.appending("transfers.sqlite"))
            (self.server, self.ledger, self.pace) = (server, ledger, pace)
            remote = server.remote(owner: owner, transfers: ledger)
        case .rclone(let location):
            let pace = TransferPace(settings.network?.plan ?? BandwidthPlan())
            (server, ledger, self.pace) = (nil, nil, pace)
            remote = RcloneRemote(RcloneClient(location, service.rclone, pace: pace), owner: owner)
        }
    }

    /// The local side at a place, without opening anything there.
    func local(at uri: ItemURI) -> any LocalEndpoint {
        DiskEndpoints.local(
            at: uri.filePath, stateDirectory: state, dataHome: dataHome, owner: owner, leaving: freeSpaceFloor,
            transfers: ledger)
    }

    /// What is not synced of the sides, the local one at this place: what is excluded on one is on both.
    func patterns(_ settings: FolderSettings, at uri: ItemURI) -> ExcludePatterns {
        let roots = [uri.filePath] + [remotePath].compactMap(\.self)
        return settings.patterns(guarding: roots.flatMap { ownPlaces.places(below: $0) })
    }

    /// An engine that syncs the sides, the local one at this place.
    func engine(
        _ settings: FolderSettings, tag: String, at uri: ItemURI, on loop: LoopControl
    ) throws(WorkerError) -> SyncFolder {
        do {
            return try SyncFolder(
                id: settings.id, path: uri.filePath, storePath: state.appending("trees.sqlite"), local: local(at: uri),
                remote: remote,
                configuration: SessionConfiguration(
                    tag: tag, excludes: patterns(settings, at: uri), isPaused: settings.paused,
                    pauses: Patience.Syncing.session),
                transfers: ledger, loop: loop)
        } catch {
            throw .stateUnusable(uri.filePath, because: "\(error)")
        }
    }
}
