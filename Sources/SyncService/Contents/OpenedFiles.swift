internal import MountProtocol
internal import Support

/// Which contents are fetched when, of files that programs open: a few at a time for each program, and a program that goes
/// through many files waits until a person has said whether it may. Pure.
///
/// Somebody who opens files one after the other is never asked. A backup, a search through all files, or a copy of a large
/// directory is, before it has filled the disk or the connection.
struct OpenedFiles {
    enum Event {
        /// A program opens a file whose contents are not here.
        case opened(FetchNumber, by: String, bytes: Int64)
        /// Its contents were fetched or could not be, or nobody wants them any more.
        case ended(FetchNumber)
        /// A person has answered whether a program may download what it wants.
        case answered(program: String, mayDownload: Bool)
        /// The time that was set is over.
        case timer
    }

    enum Action: Equatable {
        case fetch(FetchNumber)
        /// The program gets an error at once.
        case refuse(FetchNumber)
        /// Ask a person about a program.
        case ask(program: String)
        /// The question is over.
        case endQuestion(program: String)
        /// Set the timer; nil for none.
        case setTimer(Instant?)
    }

    /// How many files of one program are fetched at a time.
    static let filesAtOnce = 4
    /// What a program gets within ``Patience/Worker/quietProgram`` without a question.
    static let filesUnasked = 100
    static let bytesUnasked: Int64 = 1 << 30
    /// Large files are not what a question is about, as long as there are only so many.
    static let filesOfAnySize = 4

    private enum Answer { case none, asked(until: Instant), yes, no }

    private struct Program {
        var answer = Answer.none
        var running: Set<FetchNumber> = []
        /// In the order in which they were opened.
        var waiting: [FetchNumber] = []
        /// What was fetched lately.
        var recent: [(at: Instant, bytes: Int64)] = []
        var lastSeen: Instant
    }

    private var programs: [String: Program] = [:]
    private var files: [FetchNumber: (program: String, bytes: Int64)] = [:]

    /// Whether no program waits for anything.
    var isEmpty: Bool { files.isEmpty }

    /// Whether a file is being fetched, or waits for that.
    func contains(_ file: FetchNumber) -> Bool { files[file] != nil }

    /// What a program has had and still waits for, for the question about it.
    func extent(of program: String) -> (files: Int, waiting: Int)? {
        programs[program].map { ($0.recent.count, $0.waiting.count) }
    }

    mutating func handle(_ event: Event, at now: Instant) -> [Action] {
        var actions: [Action] = []
        switch event {
        case .opened(let file, let name, let bytes):
            guard files[file] == nil else { return [] }
            var program = programs[name] ?? Program(lastSeen: now)
            program.lastSeen = now
            if case .no = program.answer {
                actions.append(.refuse(file))
            } else {
                files[file] = (name, bytes)
                program.waiting.append(file)
                advance(&program, name, now, &actions)
            }
            programs[name] = program
        case .ended(let file):
            guard let name = files.removeValue(forKey: file)?.program, var program = programs[name] else { return [] }
            program.lastSeen = now
            program.running.remove(file)
            program.waiting.removeAll { $0 == file }
            if case .asked = program.answer, program.waiting.isEmpty {
                program.answer = .none
                actions.append(.endQuestion(program: name))
            }
            advance(&program, name, now, &actions)
            programs[name] = program
        case .answered(let name, let mayDownload):
            guard var program = programs[name] else { return [] }
            program.lastSeen = now
            answer(mayDownload, &program, name, now, &actions)
            programs[name] = program
        case .timer: followTime(now, &actions)
        }
        return actions + [.setTimer(nextDue)]
    }

    /// Starts to fetch what may be fetched now.
    private func advance(_ program: inout Program, _ name: String, _ now: Instant, _ actions: inout [Action]) {
        while program.running.count < Self.filesAtOnce, let file = program.waiting.first {
            if case .asked = program.answer { return }
            program.recent.removeAll { $0.at + Patience.Worker.quietProgram <= now }
            if case .none = program.answer, Self.isMuch(program.recent.map(\.bytes)) {
                program.answer = .asked(until: now + Patience.Worker.downloadQuestion)
                actions.append(.ask(program: name))
                return
            }
            program.waiting.removeFirst()
            program.running.insert(file)
            program.recent.append((now, files[file]?.bytes ?? 0))
            actions.append(.fetch(file))
        }
    }

    private static func isMuch(_ recent: [Int64]) -> Bool {
        if recent.count >= filesUnasked { return true }
        let bytes = recent.reduce(0) { $0.addingReportingOverflow($1).overflow ? Int64.max : $0 + $1 }
        return recent.count >= filesOfAnySize && bytes >= bytesUnasked
    }

    private mutating func answer(
        _ mayDownload: Bool, _ program: inout Program, _ name: String, _ now: Instant, _ actions: inout [Action]
    ) {
        if case .asked = program.answer { actions.append(.endQuestion(program: name)) }
        program.answer = mayDownload ? .yes : .no
        if mayDownload { return advance(&program, name, now, &actions) }
        for file in program.waiting {
            files[file] = nil
            actions.append(.refuse(file))
        }
        program.waiting = []
    }

    /// A question that nobody answers is one with the answer no: a program must not wait for ever. A program that was
    /// quiet for a while counts as a new one.
    private mutating func followTime(_ now: Instant, _ actions: inout [Action]) {
        for name in programs.keys.sorted() {
            guard var program = programs[name] else { continue }
            if case .asked(let end) = program.answer, end <= now {
                program.lastSeen = now
                answer(false, &program, name, now, &actions)
            }
            let isQuiet = program.running.isEmpty && program.waiting.isEmpty
            programs[name] = isQuiet && program.lastSeen + Patience.Worker.quietProgram <= now ? nil : program
        }
    }

    private var nextDue: Instant? {
        programs.values.compactMap { program in
            if case .asked(let end) = program.answer { return end }
            guard program.running.isEmpty && program.waiting.isEmpty else { return nil }
            return program.lastSeen + Patience.Worker.quietProgram
        }.min()
    }
}
