internal import DBus
internal import Launching
internal import RoundelBus
internal import Support
internal import SyncCore
internal import SyncEngine
internal import SystemPackage

/// Copies items out of synced folders and into them, on behalf of menus: asks where in the desktop's own dialog, copies on
/// a thread of its own, and tells how far it is and how it ended by notices of the folder (D1, D15).
final class FolderCopies {
    typealias BringHere = ([ItemURI], @escaping (WorkerError?) -> Void) -> () -> Void

    /// A copy that runs, or has ended a short time ago.
    private final class Job {
        let words: CopyWords
        /// The ID of the folder.
        let folder: String
        let task: CopyTask
        /// The items in the order of the task.
        let items: [ItemURI]
        let destination: ItemURI
        let progress = CopyProgress()
        let begun = Instant.now
        var outcome: CopyOutcome?
        /// Ends the fetching of contents; nil while nothing is fetched.
        var stopFetching: (() -> Void)?

        init(_ words: CopyWords, _ folder: String, _ task: CopyTask, _ items: [ItemURI], _ destination: ItemURI) {
            (self.words, self.folder, self.task) = (words, folder, task)
            (self.items, self.destination) = (items, destination)
        }
    }

    /// Has the contents of these items brought to this computer, and calls the last argument when they are here, or with
    /// the reason why they are not. Called only with items of synced folders. What it returns ends that; then the last
    /// argument is not called.
    private let bringHere: BringHere

    private let book: FolderBook
    private let chooser: FileChooser
    private let opener: DesktopOpener
    private let blocking: BlockingWork
    private let dataHome: FilePath
    private let notes: CopyNotes
    private let loop: EventLoop
    private var jobs: [Int: Job] = [:]
    private var lastNumber = 0
    /// The notes of copies that were under way when the worker was killed, and may be there still.
    private var left: [String] = []
    private var onStopped: (() -> Void)?
    private lazy var timer = loop.makeTimer { [weak self] in self?.report() }

    /// The most copies at a time.
    private static let most = 4
    /// The most items that are shown together.
    private static let mostShown = 16

    /// - Parameters:
    ///   - dataHome: `$XDG_DATA_HOME`, which contains the desktop's trash.
    ///   - notes: Where copies are noted that are not complete yet.
    init(
        _ book: FolderBook, chooser: FileChooser, opener: DesktopOpener, blocking: BlockingWork, loop: EventLoop,
        dataHome: FilePath, notes: CopyNotes, bringHere: @escaping BringHere
    ) {
        self.notes = notes
        (self.book, self.chooser, self.opener) = (book, chooser, opener)
        (self.blocking, self.loop, self.dataHome) = (blocking, loop, dataHome)
        self.bringHere = bringHere
    }

    /// Removes what was left of copies when the worker was killed. Called once, before any copy is begun.
    func begin() {
        left = notes.left
        removeLeft()
    }

    /// Removes what was left where it can be reached by now: a folder was mounted.
    func removeLeft() {
        guard !left.isEmpty else { return }
        _ = blocking.run({ [notes, left] in notes.removeCopies(left) }) { [weak self] in self?.left = $0 }
    }

    // MARK: Menus

    /// The menu items; none if the desktop has no dialog for files.
    func menu(_ request: MenuRequest) -> [MenuItem] {
        guard chooser.isThere else { return [] }
        let folders = book.folders.all.map {
            CopyMenu.Folder(id: $0.settings.id, label: $0.settings.label, uri: $0.uri)
        }
        return CopyMenu(folders: folders).items(request)
    }

    func activate(_ action: CopyAction, _ request: MenuRequest, _ finished: @escaping MenuAction.Finish) {
        switch action {
        case .copyOut: copyOut(request, finished)
        case .add(let way, let directories, let folder): add(way, directories, folder, request, finished)
        case .stop(let number):
            guard let job = jobs[number], job.outcome == nil else { return finished(.failure(.copyEnded)) }
            stop(job)
            finished(.success(nil))
        case .show(let number):
            guard let job = jobs[number], let outcome = job.outcome else { return finished(.failure(.copyEnded)) }
            let shown = outcome.placed.prefix(Self.mostShown).compactMap { try? ItemName(bytes: $0.name.bytes) }
                .map { job.destination.appending($0).uri }
            opener.show(shown, request.options) { finished($0.withoutProduct) }
        }
    }

    private func copyOut(_ request: MenuRequest, _ finished: @escaping MenuAction.Finish) {
        guard let unit = request.selection.first.flatMap({ book.folders.unit(holding: $0) }) else {
            return finished(.failure(.notSynced))
        }
        let question = FileChooser.Question(
            title: tr("Copy Out of “{1}”", unit.settings.label), accept: tr("Copy Here"), directories: true,
            several: false)
        ask(question, request, finished) { [weak self] chosen throws(WorkerError) in
            try self?.begin(.copyOut, request.selection, to: chosen[0], unit.settings.id)
        }
    }

    private func add(
        _ way: CopyTask.Way, _ directories: Bool, _ folder: String?, _ request: MenuRequest,
        _ finished: @escaping MenuAction.Finish
    ) {
        let shown = request.target.flatMap { target in book.folders.unit(holding: target) }
        guard let unit = folder.map({ book.folders.unit(withID: $0) }) ?? shown else {
            return finished(.failure(.notSynced))
        }
        let target = request.target.flatMap { $0.isWithin(unit.uri) ? $0 : nil } ?? unit.uri
        let label = target == unit.uri ? unit.settings.label : target.label
        let question = FileChooser.Question(
            title: way == .copy ? tr("Copy to “{1}”", label) : tr("Move to “{1}”", label),
            accept: way == .copy ? tr("Copy") : tr("Move"), directories: directories, several: true)
        ask(question, request, finished) { [weak self] chosen throws(WorkerError) in
            try self?.begin(way == .copy ? .add : .moveIn, chosen, to: target, unit.settings.id)
        }
    }

    private func ask(
        _ question: FileChooser.Question, _ request: MenuRequest, _ finished: @escaping MenuAction.Finish,
        _ begin: @escaping ([ItemURI]) throws(WorkerError) -> Void
    ) {
        chooser.ask(question, parent: request.options.parentWindow) { answer in
            switch answer {
            case .cancelled: finished(.failure(RoundelError(.cancelled, tr("Nothing was chosen."))))
            case .failed(let sentence): finished(.failure(RoundelError(.providerFailed, sentence)))
            case .chosen(let uris):
                do throws(WorkerError) {
                    try begin(try CopyPlaces.chosen(uris))
                    finished(.success(nil))
                } catch {
                    finished(.failure(RoundelError(.providerFailed, error.message)))
                }
            }
        }
    }

    // MARK: Copying

    private func begin(
        _ kind: CopyWords.Kind, _ items: [ItemURI], to destination: ItemURI, _ folder: String
    ) throws(WorkerError) {
        guard let unit = book.folders.unit(withID: folder), let first = items.first, onStopped == nil else {
            throw .notSynced
        }
        guard jobs.values.count(where: { $0.outcome == nil }) < Self.most else { throw .tooManyCopies }
        let places = CopyPlaces(folders: book.folders.all.map(\.uri))
        if kind == .moveIn { try places.checkMovable(items) }
        let originals = try items.map { item throws(WorkerError) in try places.original(item) }
        lastNumber += 1
        let number = lastNumber
        let words = CopyWords(
            number: number, kind: kind, count: items.count, name: first.label,
            label: kind == .copyOut || destination == unit.uri ? unit.settings.label : destination.label,
            destination: ShownPath.short(destination.filePath))
        var task = CopyTask(
            kind == .moveIn ? .move : .copy, originals, to: places.destination(destination), dataHome: dataHome)
        let synced = book.folders.all.map(\.place)
        task.unmovable = synced.flatMap(\.directories)
        task.contentsPlaces = synced.compactMap(\.contents)
        task.notes = notes
        let job = Job(words, folder, task, items, destination)
        jobs[number] = job
        timer.set(after: Patience.Worker.copyProgress)
        fetch(job)
    }

    /// Has what is away of the items brought here, and copies then.
    private func fetch(_ job: Job) {
        let synced = job.items.filter { book.folders.unit(holding: $0) != nil }
        if synced.isEmpty { return run(job) }
        var isFetched = false
        let stop = bringHere(synced) { [weak self] error in
            isFetched = true
            job.stopFetching = nil
            guard let self else { return }
            guard let error else { return run(job) }
            ended(job, CopyOutcome(failure: CopyFailure(.away, job.task.items[0].shown)), because: error.message)
        }
        if !isFetched { job.stopFetching = stop }
    }

    private func stop(_ job: Job) {
        job.progress.stop()
        guard let stopFetching = job.stopFetching else { return }
        job.stopFetching = nil
        stopFetching()
        ended(job, CopyOutcome(failure: CopyFailure(.stopped, .root)))
    }

    private func run(_ job: Job) {
        let (task, progress) = (job.task, job.progress)
        let isBegun = blocking.run({ task.run(progress) }) { [weak self] in self?.ended(job, $0) }
        if !isBegun {
            ended(job, CopyOutcome(failure: CopyFailure(.failed(.resourceTemporarilyUnavailable), .root)))
        }
    }

    private func ended(_ job: Job, _ outcome: CopyOutcome, because reason: String? = nil) {
        job.outcome = outcome
        if job.words.kind == .copyOut { note(outcome, job) }
        tell(job.words.ended(outcome, because: reason), of: job)
        let timer = loop.makeTimer { [weak self] in self?.forget(job) }
        timer.set(after: Patience.Worker.copied)
        endIfStopped()
    }

    /// Adds what was copied out to the folder's log.
    private func note(_ outcome: CopyOutcome, _ job: Job) {
        guard let unit = book.folders.unit(withID: job.folder) else { return }
        let detail = tr("Copied to {1}", job.words.destination)
        unit.reporter.note(
            outcome.placed.compactMap { placed in
                RelativePath(job.items[placed.index], below: unit.uri).map {
                    Activity(kind: .copiedOut, node: .root, path: $0, detail: detail)
                }
            })
    }

    private func forget(_ job: Job) {
        jobs[job.words.number] = nil
        tell(nil, of: job)
    }

    /// Stops everything; calls `onStopped` once nothing incomplete is left.
    func stop(_ onStopped: @escaping () -> Void) {
        self.onStopped = onStopped
        for job in jobs.values { stop(job) }
        endIfStopped()
    }

    private func endIfStopped() {
        guard let onStopped, jobs.values.allSatisfy({ $0.outcome != nil }) else { return }
        timer.cancel()
        self.onStopped = {}
        onStopped()
    }

    // MARK: Reports

    /// Tells how far the copies are that have lasted for a while.
    private func report() {
        let running = jobs.values.filter { $0.outcome == nil }
        for job in running where Instant.now >= job.begun + Patience.Worker.shortCopy {
            tell(job.words.underWay(job.progress.numbers), of: job)
        }
        if !running.isEmpty { timer.set(after: Patience.Worker.copyProgress) }
    }

    private func tell(_ notice: FolderNotice?, of job: Job) {
        // The folder may have been removed, or moved to another place, where it is another object.
        book.folders.unit(withID: job.folder)?.reporter.tell(notice, ofCopy: job.words.number)
    }
}

extension WorkerError {
    fileprivate static var copyEnded: WorkerError {
        WorkerError(.providerFailed, tr("The copy has ended already."))
    }

    fileprivate static var tooManyCopies: WorkerError {
        WorkerError(.failed, tr("Several copies are under way. Wait until one of them is done."))
    }
}
