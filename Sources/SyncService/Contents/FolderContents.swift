internal import DBus
internal import MountProtocol
internal import RoundelBus
internal import Support
internal import SyncCore
internal import SyncEngine
internal import SystemPackage

/// What makes a folder one on demand: its mount, who waits for contents in it, and what is freed by itself.
///
/// @unchecked: confined to the control loop; other threads only hold a reference, to post it to the loop.
final class FolderContents: @unchecked Sendable {
    let mount: FolderMount
    let demands: FolderDemands
    let openings: FolderOpenings
    let freeing: FolderFreeing
    let notices: ContentsNotices
    /// The directory that keeps what is here.
    let place: FilePath
    private let returned: ReturnedPlaceholders
    private let mounted: MountedContents
    private let engine: SyncFolder
    private let blocking: BlockingWork

    init(
        _ choices: FolderChoices, _ directories: MountDirectories, _ mounted: MountedContents, _ items: FolderItems,
        engine: SyncFolder, _ returningPins: ReturningPins, _ surroundings: FolderSurroundings
    ) {
        (self.mounted, self.engine, blocking) = (mounted, engine, surroundings.blocking)
        place = directories.contents
        let settings = choices.settings
        notices = ContentsNotices(label: settings.label)
        demands = FolderDemands(engine)
        returned = ReturnedPlaceholders(items, engine: engine, blocking: surroundings.blocking)
        openings = FolderOpenings(
            items, engine: engine, demands: demands, contents: mounted, notices: notices, loop: surroundings.loop)
        freeing = FolderFreeing(
            choices, engine: engine, demands: demands, contents: place, returningPins, surroundings)
        let local = engine.local
        mount = FolderMount(
            settings.id, directories, step: settings.onDemand?.step, runner: surroundings.mounts,
            blocking: blocking, loop: surroundings.loop
        ) {
            // Whoever looks at the side has it connect.
            _ = local.root()
            return mounted.isConnected
        }
        let control = surroundings.control
        mounted.listen { [weak self] report in
            control.post { [weak self] in self?.handle(report) }
        }
    }

    private func handle(_ report: ContentsReport) {
        switch report {
        case .connected: mount.connectionChanged(true)
        case .disconnected:
            openings.withdrawAll()
            mount.connectionChanged(false)
        case .wanted(let fetch, let path, let reader): openings.opened(fetch, path, by: reader.program)
        case .withdrawn(let fetch): openings.withdrawn(fetch)
        case .emptied(let path): engine.changed(.local, items: [path])
        }
    }

    /// The folder is in another state.
    func statusChanged(_ status: SessionStatus) {
        switch status.phase {
        case .idle, .syncing: notices.remoteIsBack()
        case .looking, .paused, .offline, .stopped, .confirmDeletes: break
        }
    }

    /// A run has ended.
    func runEnded() { returned.look() }

    /// Whether a program waits for contents.
    var isWaitedFor: Bool { !openings.isEmpty }

    // MARK: Sleep and end

    /// Ends the waits of all programs, which otherwise keep the computer from sleeping, until ``goOn()``.
    func hold() {
        mount.end()
        mounted.hangUp()
    }

    func goOn() { mount.begin {} }

    /// The mount stays, and whoever opens what is not here gets an error.
    func stop() {
        mount.end()
        openings.stop()
        freeing.stop()
        mounted.hangUp()
    }

    // MARK: Choices of a person

    /// What may be fetched, so that enough stays free for other programs; nil if that is not known.
    func room(leaving floor: FreeSpaceFloor, _ answer: @escaping (Int64?) -> Void) {
        let place = place
        blocking.run(within: Patience.Worker.places, { DiskRoom(near: place)?.room(leaving: floor) }) {
            answer($0 ?? nil)
        }
    }
}
