internal import CFuse
internal import Glibc
internal import MountProtocol
internal import Support
internal import Synchronization
internal import SystemPackage

/// A mounted folder as a program: arguments, mount, threads, end.
package enum MountProgram {
    private static let usage = """
        Usage: roundel-mount NAME | --unmount NAME
        Mounts a folder whose contents need not all be on this computer, and serves it until it is unmounted or
        the program is told to end. NAME is a file in $XDG_STATE_HOME/roundel/mounts.
        """

    /// The exit status for settings that cannot be used, which a second attempt will not be able to use either (EX_CONFIG
    /// of sysexits.h).
    private static let badSettings: Int32 = 78

    /// Serves the folder until it is unmounted or the process gets a signal to end; returns the exit status.
    package static func run(arguments: [String]) -> Int32 {
        var names = arguments[...]
        let isUnmounting = names.first == "--unmount"
        if isUnmounting { names = names.dropFirst() }
        if names.first == "--help" || names.first == "-h" {
            print(usage)
            return 0
        }
        guard let name = names.first, names.count == 1 else {
            log(.error, usage)
            return 64
        }
        guard let places = MountPlaces(name: name) else {
            log(.error, "The name is not valid, or HOME or XDG_RUNTIME_DIR is not set.")
            return 64
        }
        var problem: Errno?
        var settings: MountSettings?
        do throws(Errno) { settings = try MountSettings.read(places.settings) } catch { problem = error }
        guard let settings else {
            let reason = problem.map { "\($0)" } ?? "a path is missing"
            log(.error, "The settings in \(places.settings) cannot be read: \(reason).")
            return badSettings
        }
        if isUnmounting { return FolderMountPoint.unmount(settings) ? 0 : 1 }
        return serve(settings, places)
    }

    private static func serve(_ settings: MountSettings, _ places: MountPlaces) -> Int32 {
        // Before any thread is started, because they inherit the blocked signals.
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&signals, number) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        raiseDescriptorLimit()
        let mountPoint: FolderMountPoint
        do throws(FolderMountPoint.Failure) { mountPoint = try FolderMountPoint(settings) } catch {
            log(.error, error.logLine)
            return 1
        }
        do throws(Errno) { try ContentsProbe.run(in: mountPoint.tree) } catch {
            log(.error, "The file system of \(settings.contents) cannot hold files without their contents: \(error).")
            return 1
        }
        let link: WorkerLink
        do throws(Errno) { link = try listen(places.socket) } catch {
            log(.error, "No socket for the worker can be made: \(error).")
            return 1
        }
        let folder = settings.folder.withPlatformString { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
        let status = serve(mountPoint, link, FailedThumbnails(of: folder), signals)
        // What is open in it fails from now on.
        if status == nil { _ = FolderMountPoint.unmount(settings) }
        return status ?? 0
    }

    private static func listen(_ socket: FilePath) throws(Errno) -> WorkerLink {
        var directory = FilePath(root: socket.root)
        for component in socket.removingLastComponent().components {
            directory.append(component)
            if directory.withPlatformString({ mkdir($0, 0o700) }) != 0, errno != EEXIST { throw Errno(rawValue: errno) }
        }
        return try WorkerLink(at: socket.string)
    }

    /// - Returns: The exit status, nil if the folder is mounted still.
    private static func serve(
        _ mountPoint: FolderMountPoint, _ link: WorkerLink, _ thumbnails: FailedThumbnails?, _ signals: sigset_t
    ) -> Int32? {
        let device: KernelDevice
        do throws(FolderMountPoint.Failure) { device = try mountPoint.mount() } catch {
            log(.error, error.logLine)
            return 1
        }
        // The first word of why the kernel asks no more.
        let end = Mutex<KernelDevice.End?>(nil)
        do throws(Errno) {
            let tree = try BackingTree(mountPoint.tree)
            let jobs = try JobQueue()
            let doorkeeper = Doorkeeper(tree, device, link, jobs, thumbnails)
            try jobs.start()
            try link.start(doorkeeper)
            try MountServer(device, tree, link, doorkeeper).start { reason in
                end.withLock { $0 = $0 ?? reason }
                kill(getpid(), SIGTERM)
            }
        } catch {
            log(.error, "The kernel cannot be answered any more: \(error).")
            return nil
        }
        cfuse_notify("READY=1")
        var (waited, number) = (signals, Int32(0))
        while sigwait(&waited, &number) != 0 {}
        switch end.withLock({ $0 }) {
        case nil: return nil
        case .unmounted: return 0
        case .failed(let error):
            log(.error, "The kernel cannot be answered any more: \(error).")
            return nil
        }
    }

    /// A descriptor for each open file of every program.
    private static func raiseDescriptorLimit() {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(resource, &limit)
    }
}
