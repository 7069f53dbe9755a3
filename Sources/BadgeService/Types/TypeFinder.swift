internal import BadgeEngine
internal import DBus
internal import RoundelBus
internal import Support

/// Finds the types of data that selected items can have by their names.
///
/// A thread of its own reads the files that say it, because a disk may keep it waiting. If one does not answer, the types
/// are unknown until it does, so that no more than one thread ever waits.
final class TypeFinder {
    private typealias Question = (token: RequestToken, items: [ItemURI])

    private let find: @Sendable ([[UInt8]]) -> [[DataType]]
    private let onAnswer: (RequestToken, [[DataType]]) -> Void
    private let loop: EventLoop
    private var work: BackgroundWork<[[DataType]]>?
    /// What the thread looks up; nil if there is none.
    private var asked: Question?
    private var waiting: [Question] = []
    /// Whether the thread takes so long that nothing waits for it any more.
    private var isOverdue = false
    private lazy var overdue = loop.makeTimer { [unowned self] in giveUp() }

    /// - Parameter onAnswer: Called on the loop with the types of each item of a question.
    convenience init(
        loop: EventLoop, folders: TypeFolders, onAnswer: @escaping (RequestToken, [[DataType]]) -> Void
    ) throws(DBusError) {
        try self.init(loop: loop, find: { folders.types(of: $0) }, onAnswer: onAnswer)
    }

    /// - Parameter find: Called on the thread with names; returns the types of each.
    init(
        loop: EventLoop, find: @escaping @Sendable ([[UInt8]]) -> [[DataType]],
        onAnswer: @escaping (RequestToken, [[DataType]]) -> Void
    ) throws(DBusError) {
        self.loop = loop
        self.find = find
        self.onAnswer = onAnswer
        work = try BackgroundWork(loop, name: "types") { [weak self] in self?.end($0) }
    }

    /// Looks up the types of items; the answer comes later.
    func find(_ items: [ItemURI], for token: RequestToken) {
        waiting.append((token, items))
        if isOverdue { answerUnknown() } else { goOn() }
    }

    private func goOn() {
        guard asked == nil, !waiting.isEmpty else { return }
        let question = waiting.removeFirst()
        asked = question
        overdue.set(after: Patience.Badges.types)
        do {
            try work?.start { [find] in find(question.items.map { $0.name?.bytes ?? [] }) }
        } catch {
            log(.warning, "The types of selected items are not looked up: no thread can be started (\(error)).")
            end(unknown(question.items))
        }
    }

    private func end(_ types: [[DataType]]) {
        overdue.cancel()
        let question = asked
        asked = nil
        if isOverdue {
            isOverdue = false
        } else if let question {
            onAnswer(question.token, types)
        }
        goOn()
    }

    private func giveUp() {
        log(
            .warning,
            "The types of selected items cannot be looked up: a file system does not answer. Until it does, they are unknown."
        )
        isOverdue = true
        if let asked { waiting.insert(asked, at: 0) }
        answerUnknown()
    }

    private func answerUnknown() {
        let questions = waiting
        waiting = []
        for question in questions { onAnswer(question.token, unknown(question.items)) }
    }

    private func unknown(_ items: [ItemURI]) -> [[DataType]] { items.map { _ in [] } }
}
