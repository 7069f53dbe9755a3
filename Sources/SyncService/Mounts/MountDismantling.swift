internal import DBus
internal import RoundelBus
internal import Support
internal import SystemPackage

/// Makes ordinary folders of folders on demand: takes the mount away and moves the directory back to its place.
final class MountDismantling {
    private let runner: MountRunner
    private let places: WorkerPlaces
    private let blocking: BlockingWork
    private let loop: EventLoop

    init(_ runner: MountRunner, _ places: WorkerPlaces, blocking: BlockingWork, loop: EventLoop) {
        (self.runner, self.places, self.blocking, self.loop) = (runner, places, blocking, loop)
    }

    /// Carries out the step that the settings of a folder name. Its engine must have stopped. What was done stays done if
    /// it fails, and is taken up from there.
    func carryOut(_ folder: FolderSettings, _ done: @escaping (WorkerError?) -> Void) {
        guard let step = folder.onDemand?.step, let uri = try? ItemURI(folder.uri),
            let directories = MountDirectories(folder, at: uri.filePath, places)
        else { return done(nil) }
        begin(folder.id, directories, step, done)
    }

    /// Undoes what was done of turning a folder into one on demand, which was not mounted yet. Gives whether its
    /// directory is where it was.
    func takeBack(_ folder: FolderSettings, _ done: @escaping (Bool) -> Void) {
        guard let uri = try? ItemURI(folder.uri), let directories = MountDirectories(folder, at: uri.filePath, places)
        else { return done(true) }
        let isBegun = blocking.run({ directories.takeBack() }, done)
        if !isBegun { done(false) }
    }

    private func begin(
        _ id: String, _ directories: MountDirectories, _ step: OnDemandSettings.Step,
        _ done: @escaping (WorkerError?) -> Void
    ) {
        func advance() { self.advance(directories, step, until: .now + Patience.Worker.unmount, done) }
        switch step {
        case .turningOn: advance()
        case .turningOff, .removing:
            // What is open in the mount goes with it.
            let isBegun = blocking.run({
                directories.isMounted ? OpenFiles.program(in: directories.folder) : nil
            }) { [runner] program in
                if let program { return done(.inUse(directories.folder, by: program)) }
                // Even if it is not mounted now: the service manager may be about to start the program again.
                runner.unmount(id, advance)
            }
            if !isBegun { done(.tooMuchWaits) }
        }
    }

    /// - Parameter end: When the folder must be unmounted at the latest.
    private func advance(
        _ directories: MountDirectories, _ step: OnDemandSettings.Step, until end: Instant,
        _ done: @escaping (WorkerError?) -> Void
    ) {
        let isBegun = blocking.run({ directories.carryOut(step) }) { [self] result in
            switch result {
            case .success(.isReady), .success(.isOrdinary): done(nil)
            case .success(.isMounted): waitForUnmount(directories, step, until: end, done)
            case .failure(let trouble): done(WorkerError(.failed, trouble.sentence))
            }
        }
        if !isBegun { done(.tooMuchWaits) }
    }

    private func waitForUnmount(
        _ directories: MountDirectories, _ step: OnDemandSettings.Step, until end: Instant,
        _ done: @escaping (WorkerError?) -> Void
    ) {
        guard Instant.now < end else {
            return done(
                WorkerError(
                    .inUse,
                    tr(
                        "“{1}” cannot be unmounted. Close the programs that use it, then try again.",
                        ShownPath.short(directories.folder))))
        }
        loop.makeTimer { [self] in advance(directories, step, until: end, done) }
            .set(after: Patience.Worker.mountQuestion)
    }
}
