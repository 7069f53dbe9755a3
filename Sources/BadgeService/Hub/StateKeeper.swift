internal import BadgeEngine
internal import DBus
internal import Support

/// Saves the engine's state in its file, and delays the answers that depend on the save.
///
/// If the disk does not respond, they wait for at most ``Patience/Badges/saving``; nothing else waits for it.
final class StateKeeper {
    private let file: StateFile
    private let saver: StateSaver
    private let loop: EventLoop
    private let state: () -> SavedState
    private let onSaved: () -> Void
    /// The numbers of the latest save, and of the latest save that has ended.
    private var begun = 0
    private var ended = 0
    /// The delayed answers, each with the save that it waits for.
    private var held: [(save: Int, answer: () -> Void)] = []
    /// Whether the log already says that the disk does not respond.
    private var isOverdue = false
    private lazy var retry = loop.makeTimer { [unowned self] in save() }
    private lazy var overdue = loop.makeTimer { [unowned self] in giveUp() }

    /// - Parameters:
    ///   - state: The current state.
    ///   - onSaved: Called after each attempt to write it.
    init(
        file: StateFile, saver: StateSaver, loop: EventLoop, state: @escaping () -> SavedState,
        onSaved: @escaping () -> Void
    ) {
        self.file = file
        self.saver = saver
        self.loop = loop
        self.state = state
        self.onSaved = onSaved
    }

    /// Loads the state of the last run; empty, with a line in the log, if it cannot be read.
    func load() -> SavedState {
        do {
            return try file.load()
        } catch {
            log(.error, error.sentence)
            return SavedState()
        }
    }

    /// Writes the state. A failure is logged, and writing is tried again after a while.
    func save() {
        retry.cancel()
        begun += 1
        saver.save(
            "providers",
            { [file, state = state()] in
                do throws(StateFile.Failure) {
                    try file.save(state)
                    return nil
                } catch {
                    return error.sentence
                }
            },
            { [unowned self, begun] problem in end(begun, problem) })
    }

    /// Calls `answer` when the current state has been written, could not be, or takes too long.
    func whenSaved(_ answer: @escaping () -> Void) {
        guard ended < begun else { return answer() }
        held.append((begun, answer))
        if !overdue.isSet { overdue.set(after: Patience.Badges.saving) }
    }

    private func end(_ number: Int, _ problem: String?) {
        ended = number
        isOverdue = false
        overdue.cancel()
        if let problem {
            log(.error, problem)
            if ended == begun { retry.set(after: Patience.Badges.savingAgain) }
        }
        let ready = held.filter { $0.save <= number }
        held.removeAll { $0.save <= number }
        for entry in ready { entry.answer() }
        if !held.isEmpty { overdue.set(after: Patience.Badges.saving) }
        onSaved()
    }

    private func giveUp() {
        if !isOverdue {
            log(
                .error,
                """
                The list of providers has not been written to \(file.place) yet: its file system does not answer. It \
                is written when it does; what changes is kept in memory until then.
                """)
        }
        isOverdue = true
        let all = held
        held = []
        for entry in all { entry.answer() }
    }
}
