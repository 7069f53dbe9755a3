internal import BadgeEngine
internal import DBus
internal import Support

/// Keeps the engine's state in its file, and holds back the answers that promise it until it is there.
///
/// A disk that does not answer holds them for ``patience``; nobody else waits for it.
final class StateKeeper {
    private unowned let hub: BadgeHub
    private let file: StateFile
    /// The number of the latest save, and of the latest that has ended.
    private var begun = 0
    private var ended = 0
    /// Answers, each with the save that it waits for.
    private var held: [(save: Int, answer: () -> Void)] = []
    /// Whether the log says that the disk does not answer.
    private var isOverdue = false
    private lazy var retry = hub.loop.makeTimer { [unowned self] in save() }
    private lazy var overdue = hub.loop.makeTimer { [unowned self] in giveUp() }

    /// After what time the state that could not be written is written.
    private static let retryDelay = Duration.seconds(60)
    /// How long an answer waits for the disk.
    private static let patience = Duration.seconds(2)

    init(hub: BadgeHub, file: StateFile) {
        self.hub = hub
        self.file = file
    }

    /// What the last run left; nothing, with a line in the log, where it cannot be read.
    func load() -> SavedState {
        do {
            return try file.load()
        } catch {
            log(.error, error.sentence)
            return SavedState()
        }
    }

    /// Writes the state. What cannot be written is logged and tried again after a while.
    func save() {
        retry.cancel()
        begun += 1
        hub.saver.save(
            "providers",
            { [file, state = hub.engine.savedState] in
                do throws(StateFile.Failure) {
                    try file.save(state)
                    return nil
                } catch {
                    return error.sentence
                }
            },
            { [unowned self, begun] problem in end(begun, problem) })
    }

    /// Calls `answer` when the state of now has been written, could not be, or takes too long.
    func whenSaved(_ answer: @escaping () -> Void) {
        guard ended < begun else { return answer() }
        held.append((begun, answer))
        if !overdue.isSet { overdue.set(after: Self.patience) }
    }

    private func end(_ number: Int, _ problem: String?) {
        ended = number
        isOverdue = false
        overdue.cancel()
        if let problem {
            log(.error, problem)
            if ended == begun { retry.set(after: Self.retryDelay) }
        }
        let ready = held.filter { $0.save <= number }
        held.removeAll { $0.save <= number }
        for entry in ready { entry.answer() }
        if !held.isEmpty { overdue.set(after: Self.patience) }
        hub.onRareWork?()
    }

    private func giveUp() {
        if !isOverdue { log(.error, Texts.stateNotSavedYet(file.place)) }
        isOverdue = true
        let all = held
        held = []
        for entry in all { entry.answer() }
    }
}
