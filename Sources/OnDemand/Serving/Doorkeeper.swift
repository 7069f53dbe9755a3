internal import CFuse
internal import CLinux
internal import Glibc
internal import MountProtocol
internal import Support
internal import SystemPackage

/// Does what the gate of contents decides: opens, changes and links items, and has the worker and the kernel told.
final class Doorkeeper: Sendable {
    private typealias Action = ContentsGate.Action

    private let tree: BackingTree
    private let device: KernelDevice
    private let link: WorkerLink
    private let jobs: JobQueue
    private let attributes: AttributeChanger
    private let thumbnails: FailedThumbnails?

    init(
        _ tree: BackingTree, _ device: KernelDevice, _ link: WorkerLink, _ jobs: JobQueue,
        _ thumbnails: FailedThumbnails?
    ) {
        self.tree = tree
        self.device = device
        self.link = link
        self.jobs = jobs
        self.thumbnails = thumbnails
        attributes = AttributeChanger()
    }

    // MARK: What the kernel says

    /// The kernel asks for something that has to pass the gate. It is answered from here.
    func arrive(_ arrival: Arrival) { decide { $0.gate.arrive(arrival) } }

    /// A new item is open.
    func created(_ node: NodeNumber) { tree.withCore { $0.gate.created(node) } }

    /// A descriptor that the kernel was given is not used any more.
    func close(_ handle: Int32, of node: NodeNumber) {
        Glibc.close(handle)
        decide { $0.gate.closed(node) }
    }

    /// An item has lost its name.
    func gone(_ node: NodeNumber) { decide { $0.gate.gone(node) } }

    /// A thread that waits was sent a signal.
    func interrupted(_ request: UInt64) { decide { $0.gate.interrupted(request) } }

    // MARK: Decisions

    /// Has the gate decide and does what it says. What the worker is told is put in order here, under the lock: nothing is
    /// called off before it was asked for.
    private func decide(_ caller: FetchCaller? = nil, _ body: (inout MountCore) -> [Action]) {
        let (actions, released) = tree.withCore { core in
            let actions = body(&core)
            return (actions, actions.compactMap { tellWorker($0, caller, &core) })
        }
        for node in released { tree.forget(node, 1) }
        for action in actions { carryOut(action) }
    }

    /// - Returns: An item that need not be kept any longer.
    private func tellWorker(_ action: Action, _ caller: FetchCaller?, _ core: inout MountCore) -> NodeNumber? {
        switch action {
        case .fetch(let number, let contents, let arrival):
            let item = ItemReference(
                path: core.nodes.path(of: arrival.node) ?? NodePath([]), inode: core.nodes.inode(of: arrival.node) ?? 0)
            let reason = MountReport.FetchReason(process: caller?.process ?? 0, executable: caller?.executable ?? [])
            link.send(.fetch(number, item, contents, reason))
        case .cancel(let number): link.send(.cancel(number))
        case .answer(let request, let error):
            link.send(.done(request: UInt32(truncatingIfNeeded: request), error), on: UInt32(request >> 32))
            return core.kept(for: request)
        case .pass, .empty, .work, .refuse, .look: break
        }
        return nil
    }

    private func carryOut(_ action: Action) {
        switch action {
        case .pass(let arrival): pass(arrival)
        case .empty(let arrival): empty(arrival)
        case .work(let task): jobs.put { self.work(task) }
        case .refuse(let arrival, let error): device.refuse(arrival.request, error)
        case .look(let arrival): look(arrival)
        case .fetch, .cancel, .answer: break
        }
    }

    /// Sees which signals whoever waits has.
    private func look(_ arrival: Arrival) {
        switch PendingSignals.verdict(status: arrival.thread > 0 ? CallerFacts.status(of: arrival.thread) : nil) {
        case .end: decide { $0.gate.endWait(of: arrival.request) }
        case .goOn:
            tree.withCore { $0.gate.goOnWaiting(arrival.request, now: .now) }
            link.wake()
        }
    }

    // MARK: Passing

    private func pass(_ arrival: Arrival) {
        do throws(Errno) {
            let placeholder: Placeholder?
            switch arrival.purpose {
            case .open(let flags): placeholder = try open(arrival, flags)
            case .change(let change): placeholder = try self.change(arrival, change)
            case .link(let spot): placeholder = try addName(arrival, spot)
            }
            if let placeholder { missing(arrival, placeholder) }
        } catch {
            device.refuse(arrival.request, error)
            decide { $0.gate.left(arrival.node) }
        }
    }

    /// Opens an item and answers; or gives what stands in the place of its contents.
    private func open(_ arrival: Arrival, _ flags: Int32) throws(Errno) -> Placeholder? {
        let (file, placeholder) = try tree.reading { () throws(Errno) in
            let place = try tree.place(arrival.node)
            let file = try open(place, flags)
            let placeholder = try ContentsSight.placeholder(of: file, at: place)
            // The kernel begins again, once, and looks at the attributes first; nobody is told.
            if placeholder == nil, arrival.isOutdated { throw .staleNFSFileHandle }
            if placeholder == nil, flags & O_TRUNC != 0 { try truncate(file, flags, at: place) }
            return (file, placeholder)
        }
        if let placeholder { return placeholder }
        if flags & O_ACCMODE != O_WRONLY { noteUse(of: file, arrival) }
        decide { $0.gate.opened(arrival.node) }
        answer(arrival, opened: file)
        return nil
    }

    /// A file that a program opens counts as used now, whether or not the kernel reads it again. What the worker reads is
    /// no use. As relatime does, this changes a date only if it is not newer than the last change, or once a day.
    private func noteUse(of file: BackingFile, _ arrival: Arrival) {
        guard let status = try? file.status().attributes, LastUse.isOld(of: status, now: time(nil)) else { return }
        if link.isWorker(arrival.thread) {
            _ = fcntl(file.raw, F_SETFL, fcntl(file.raw, F_GETFL) | CLINUX_O_NOATIME)
        } else {
            var byte: UInt8 = 0
            guard pread(file.raw, &byte, 1, 0) == 1 else { return }
            jobs.put { self.device.invalidateAttributes(of: arrival.node) }
        }
    }

    private func open(_ place: BackingPlace, _ flags: Int32) throws(Errno) -> BackingFile {
        // Appending, durable and direct writes are the business of the requests.
        let kept = flags & (O_ACCMODE | CLINUX_O_NOATIME)
        do throws(Errno) {
            return try place.open(kept)
        } catch .notPermitted where kept & CLINUX_O_NOATIME != 0 {
            return try place.open(kept & ~CLINUX_O_NOATIME)
        } catch {
            throw error
        }
    }

    private func truncate(_ file: BackingFile, _ flags: Int32, at place: BackingPlace) throws(Errno) {
        let writable = flags & O_ACCMODE == O_RDONLY ? try place.open(O_WRONLY) : file
        try writable.setSize(0)
    }

    private func answer(_ arrival: Arrival, opened file: BackingFile) {
        let handle = file.handOver()
        let answer = fuse_open_out(fh: UInt64(handle), open_flags: UInt32(FOPEN_KEEP_CACHE), padding: 0)
        if !device.answer(arrival.request, answer) { close(handle, of: arrival.node) }
    }

    /// Changes attributes and answers; or gives what stands in the place of the contents.
    private func change(_ arrival: Arrival, _ change: AttributeChange) throws(Errno) -> Placeholder? {
        let (status, placeholder) = try tree.reading { () throws(Errno) -> (cfuse_item, Placeholder?) in
            let opened = change.handle.map { BackingPlace.itself(BackingFile(borrowing: $0)) }
            let place = if let opened { opened } else { try tree.place(arrival.node) }
            // What is open has its contents.
            if change.size != nil, opened == nil, let found = try ContentsSight.placeholder(at: place) {
                return (cfuse_item(), found)
            }
            return (try attributes.apply(change, to: place), nil)
        }
        if let placeholder { return placeholder }
        device.answer(arrival.request, KernelAnswer.attributes(status))
        decide { $0.gate.left(arrival.node) }
        return nil
    }

    /// Gives an item one more name and answers; or gives what stands in the place of its contents: a placeholder with two
    /// names could be filled only through one.
    private func addName(_ arrival: Arrival, _ spot: NodeTree.Spot) throws(Errno) -> Placeholder? {
        let (status, placeholder) = try tree.changing { () throws(Errno) -> (cfuse_item, Placeholder?) in
            let place = try tree.place(arrival.node)
            if let found = try ContentsSight.placeholder(at: place) { return (cfuse_item(), found) }
            let directory = try tree.directory(spot.parent)
            try checked {
                place.withPath { isEntry, path in
                    spot.name.withPointer {
                        linkat(AT_FDCWD, path, directory.raw, $0, isEntry ? 0 : AT_SYMLINK_FOLLOW)
                    }
                }
            }
            tree.withCore { $0.nodes.link(arrival.node, to: spot.name, in: spot.parent) }
            tree.dropNameless(arrival.node)
            return (try BackingPlace.entry(directory, spot.name).status(), nil)
        }
        if let placeholder { return placeholder }
        if !device.answer(arrival.request, KernelAnswer.entry(arrival.node, status)) { tree.forget(arrival.node, 1) }
        decide { $0.gate.left(arrival.node) }
        return nil
    }

    // MARK: Without contents

    private func missing(_ arrival: Arrival, _ placeholder: Placeholder) {
        var caller: FetchCaller?
        if case .contents = arrival.need {
            let flags = if case .open(let flags) = arrival.purpose { flags } else { Int32(0) }
            let found = CallerFacts.caller(thread: arrival.thread, leavesNoTrace: flags & CLINUX_O_NOATIME != 0)
            if let error = refusal(found, arrival) {
                device.refuse(arrival.request, error)
                return decide { $0.gate.left(arrival.node) }
            }
            caller = found
        }
        decide(caller) { $0.gate.missing(arrival, placeholder, now: .now) }
    }

    private func refusal(_ caller: FetchCaller, _ arrival: Arrival) -> Errno? {
        // The worker would wait for itself.
        if link.isWorker(arrival.thread) { return .noData }
        let isRunnable = FetchPolicy.needsPermissions(caller) && isRunnable(arrival.node)
        return tree.withCore { core in
            // Deleted: nobody could say which item is meant.
            if core.nodes.path(of: arrival.node) == nil { return .staleNFSFileHandle }
            return core.policy.permits(caller, of: arrival.node, isRunnable: isRunnable, now: .now) ? nil : .ioError
        }
    }

    /// Whether somebody may run an item; false if it cannot be known.
    private func isRunnable(_ node: NodeNumber) -> Bool {
        let status = try? tree.reading { () throws(Errno) in try tree.place(node).status() }
        return (status?.attributes.mode ?? 0) & UInt32(S_IXUSR | S_IXGRP | S_IXOTH) != 0
    }

    /// Throws the contents away, wherever they are, and answers.
    private func empty(_ arrival: Arrival) {
        do throws(Errno) {
            let (file, status, wasPlaceholder) = try tree.reading { () throws(Errno) in
                let place = try tree.place(arrival.node)
                let wasPlaceholder = try ContentsFiller.empty(place)
                switch arrival.purpose {
                case .open(let flags):
                    return (Optional(try open(place, flags)), try place.status(), wasPlaceholder)
                case .change(let change):
                    return (nil, try attributes.apply(change, to: place), wasPlaceholder)
                case .link: throw .invalidArgument
                }
            }
            if wasPlaceholder { reportEmptied(arrival.node) }
            decide { $0.gate.emptied(arrival, isOpen: file != nil, isEmpty: true) }
            if let file {
                answer(arrival, opened: file)
            } else {
                device.answer(arrival.request, KernelAnswer.attributes(status))
            }
        } catch {
            device.refuse(arrival.request, error)
            // Then it may be empty or not: whoever comes next looks.
            decide { $0.gate.emptied(arrival, isOpen: false, isEmpty: false) }
        }
    }

    private func reportEmptied(_ node: NodeNumber) {
        tree.withCore { core in
            guard let path = core.nodes.path(of: node), let inode = core.nodes.inode(of: node) else { return }
            link.send(.emptied(ItemReference(path: path, inode: inode)))
        }
    }

    // MARK: Work for the worker

    private func work(_ task: ContentsTask) {
        var problem: Errno?
        var isResized = false
        do throws(Errno) {
            // By a descriptor that stands for it, the item may be renamed meanwhile.
            let item = try tree.reading { () throws(Errno) in BackingPlace.itself(try tree.place(task.node).pin()) }
            let size = try item.status().attributes.size
            defer { isResized = (try? item.status().attributes.size) != size }
            switch task.kind {
            case .fill(let fill):
                let staged = try tree.reading { () throws(Errno) in
                    BackingPlace.itself(try tree.descend(fill.staged, flags: CLINUX_O_PATH))
                }
                try ContentsFiller.fill(item, from: staged, version: fill.version)
            case .free(let free): try ContentsFiller.free(item, free)
            case .describe(let file): try ContentsFiller.describe(item, file)
            }
        } catch {
            problem = error
        }
        // Also after a failure, which may have changed dates.
        device.invalidate(task.node)
        if case .fill(let fill) = task.kind, let staged = tree.withCore({ $0.nodes.find(fill.staged) }) {
            device.invalidate(staged)
        }
        let path = tree.withCore { $0.nodes.path(of: task.node) }
        decide { $0.gate.ended(task, problem, isResized: isResized) }
        // After the answer: where these are, a call may take its time.
        if case .fill = task.kind, problem == nil, let path { thumbnails?.forget(path.bytes) }
    }
}

// MARK: - The worker

extension Doorkeeper: WorkerListener {
    var deadline: Instant? { tree.withCore { $0.gate.deadline } }

    func timePassed() {
        let now = Instant.now
        decide { core in core.gate.deadline.map { $0 <= now } == true ? core.gate.passTime(now: now) : [] }
    }

    func worker(isThere: Bool) { decide { $0.gate.setWorker(isThere) } }

    func worker(says request: WorkerRequest, on connection: UInt32) {
        @Sendable func number(_ request: UInt32) -> UInt64 { UInt64(connection) << 32 | UInt64(request) }
        switch request {
        case .hello:
            let root = tree.withCore { $0.nodes.inode(of: .root) } ?? 0
            link.send(.hello(version: WorkerRequest.version, root: root), on: connection)
        case .fill(let request, let target, let staged, let version):
            jobs.put { self.fill(number(request), target, staged, version) }
        case .free(let request, let item, let free):
            jobs.put {
                self.beginTask(number(request), item) {
                    $0.free(ContentsTask(request: $1, node: $2, kind: .free(free)))
                }
            }
        case .describe(let request, let item, let file):
            jobs.put {
                self.beginTask(number(request), item) {
                    $0.describe(ContentsTask(request: $1, node: $2, kind: .describe(file)))
                }
            }
        case .fail(let request, let fetch, let error):
            decide { $0.gate.fail(fetch, with: error, request: number(request)) }
        case .progress(let fetch): tree.withCore { $0.gate.progressed(fetch, now: .now) }
        case .make(let request, let items):
            jobs.put {
                let made = PlaceholderMaker(tree: self.tree, device: self.device).make(items)
                self.link.send(.made(request: request, made), on: connection)
            }
        case .sync(let request):
            jobs.put {
                let error = clinux_syncfs(self.tree.root.raw) == 0 ? nil : Errno(rawValue: errno)
                self.link.send(.done(request: request, error), on: connection)
            }
        case .locate(let request, let fetch):
            tree.withCore { core in
                let path = core.gate.node(of: fetch).flatMap { core.nodes.path(of: $0) }
                let report = path.map { MountReport.located(request: request, $0) }
                link.send(report ?? .done(request: request, .canceled), on: connection)
            }
        }
    }

    private func fill(
        _ request: UInt64, _ target: WorkerRequest.Target, _ staged: NodePath, _ version: [UInt8]
    ) {
        switch target {
        case .fetch(let fetch):
            decide { core in
                guard let node = core.gate.node(of: fetch) else { return [.answer(request, .canceled)] }
                core.keep(node, for: request)
                let fill = ContentsTask.Fill(fetch: fetch, staged: staged, version: version)
                return core.gate.fill(ContentsTask(request: request, node: node, kind: .fill(fill)))
            }
        case .item(let item):
            let fill = ContentsTask.Fill(fetch: nil, staged: staged, version: version)
            beginTask(request, item) { $0.fill(ContentsTask(request: $1, node: $2, kind: .fill(fill))) }
        }
    }

    /// Begins what the worker wants done with an item that it names.
    private func beginTask(
        _ request: UInt64, _ item: ItemReference,
        _ begin: (inout ContentsGate, UInt64, NodeNumber) -> [ContentsGate.Action]
    ) {
        do throws(Errno) {
            let found = try tree.reading { () throws(Errno) in try tree.find(item.path) }
            guard found.item.attributes.ino == item.inode, found.item.attributes.isFile else {
                tree.forget(found.node, 1)
                throw .staleNFSFileHandle
            }
            decide { core in
                core.keep(found.node, for: request)
                return begin(&core.gate, request, found.node)
            }
            tree.forget(found.node, 1)
        } catch {
            decide { _ in [.answer(request, error)] }
        }
    }
}
