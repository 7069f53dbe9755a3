internal import DBus
internal import RoundelBus
internal import Support

/// Resumes the folders that are paused for a time when that is over.
final class PausedFolders {
    private let book: FolderBook
    private let loop: EventLoop
    private var timer: CalendarTimer?

    init(_ book: FolderBook, loop: EventLoop) { (self.book, self.loop) = (book, loop) }

    /// Resumes what was to be resumed while the worker did not run, and follows the others. Called once, before any
    /// folder starts.
    func begin() throws(DBusError) {
        timer = try loop.makeCalendarTimer { [unowned self] in momentHasCome() }
        resumeWhatIsOver()
    }

    /// There are other folders, or other choices for one.
    func changed() { timer?.set(at: ends.next(after: WallClock.microseconds)) }

    func stop() { timer = nil }

    private var ends: PauseEnds { PauseEnds(book.folders.all.map(\.settings)) }

    private func momentHasCome() {
        resumeWhatIsOver()
        // “Tomorrow” may have become today.
        for unit in book.folders.all where unit.settings.pause?.end != nil { unit.reporter.publishStatus() }
    }

    private func resumeWhatIsOver() {
        let now = WallClock.microseconds
        let over = ends.over(at: now)
        var isUnsaved = false
        for unit in book.folders.all where over.contains(unit.settings.id) {
            do throws(WorkerError) {
                try book.setPause(nil, unit)
            } catch {
                isUnsaved = true
                log(.error, error.message)
            }
        }
        changed()
        // The disk may be full for a while.
        if isUnsaved { timer?.set(at: now + Int64(clamping: Patience.Worker.unsavedResume.nanoseconds / 1_000)) }
    }
}
