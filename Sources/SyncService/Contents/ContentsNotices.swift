internal import RoundelBus
internal import Support

/// What is told of the contents of one folder: which program could not have what it wanted, which one wants very much, and
/// what was fetched or freed for somebody who did not wait for it.
///
/// Notices are coalesced: one for all files that could not be had while the remote was away, one for each program that
/// waits for an answer, and the last one that is done.
final class ContentsNotices {
    /// A program that waits for an answer.
    private struct Question {
        let number: Int
        let program: String
        let title: String
        let text: String
    }

    /// What could not be had since the remote is away.
    private struct Unreached {
        var files: Int
        let name: String
        let program: String
    }

    private let label: String
    private var unreached: Unreached?
    private var questions: [Question] = []
    private var troubleOfMount: String?
    private var done: (number: Int, title: String, text: String)?
    private var lastNumber = 0
    /// Called when there is something else to tell.
    var onChange: () -> Void = {}

    /// - Parameter label: The name of the folder.
    init(label: String) { self.label = label }

    // MARK: The remote is away

    /// A program wanted a file that could not be had, because the remote cannot be reached.
    func couldNotReach(_ name: String, for program: String) {
        unreached = Unreached(files: (unreached?.files ?? 0) + 1, name: name, program: Self.shown(program))
        onChange()
    }

    /// The remote can be reached.
    func remoteIsBack() {
        guard unreached != nil else { return }
        unreached = nil
        onChange()
    }

    // MARK: The mount

    /// The folder is not mounted, for this reason; nil if it is, or soon will be.
    func mountIsAway(because reason: String?) {
        guard troubleOfMount != reason else { return }
        troubleOfMount = reason
        onChange()
    }

    // MARK: Questions

    /// Asks whether a program may download what it wants.
    ///
    /// - Parameters:
    ///   - place: The directory in which it has opened files.
    ///   - bytes: What is not here of that.
    func ask(about program: String, files: Int, place: String, bytes: Int64) {
        endQuestion(about: program)
        lastNumber += 1
        let name = Self.shown(program)
        questions.append(
            Question(
                number: lastNumber, program: program,
                title: tr("“{1}” wants to download {2}", name, Quantity.bytes(UInt64(clamping: bytes))),
                text: tr(
                    files,
                    one: "It has opened 1 file in “{2}” within a minute, and goes on. It waits for your answer.",
                    other: "It has opened {1} files in “{2}” within a minute, and goes on. It waits for your answer.",
                    place)))
        onChange()
    }

    func endQuestion(about program: String) {
        guard questions.contains(where: { $0.program == program }) else { return }
        questions.removeAll { $0.program == program }
        onChange()
    }

    /// The program that a question with this number is about; nil if it is over.
    func program(ofQuestion number: Int) -> String? { questions.first { $0.number == number }?.program }

    // MARK: Done

    /// Something is done that somebody asked for without waiting for it; gives a number for ``forget(_:)``.
    func tellDone(_ title: String, _ text: String) -> Int {
        lastNumber += 1
        done = (lastNumber, title, text)
        onChange()
        return lastNumber
    }

    /// What was done was told long enough.
    func forget(_ number: Int) {
        guard done?.number == number else { return }
        done = nil
        onChange()
    }

    // MARK: The notices

    var current: [FolderNotice] {
        let asked = questions.suffix(Self.questionsAtMost).map { question in
            FolderNotice(
                id: "download-\(question.number)", title: question.title, text: question.text, urgency: .critical,
                actions: [
                    .init(id: NoticeAction.allowDownload.id(ofQuestion: question.number), label: tr("Allow")),
                    .init(id: NoticeAction.stopDownload.id(ofQuestion: question.number), label: tr("Stop")),
                ])
        }
        return asked + [mountNotice, unreachedNotice, doneNotice].compactMap(\.self)
    }

    private static let questionsAtMost = 4

    private var mountNotice: FolderNotice? {
        troubleOfMount.map { reason in
            FolderNotice(
                id: "not-mounted", title: tr("“{1}” is not mounted", label), text: reason,
                actions: [.init(id: MenuAction.syncNow.id(), label: tr("Try Again"))])
        }
    }

    private var unreachedNotice: FolderNotice? {
        unreached.map { unreached in
            FolderNotice(
                id: "contents-unreached", title: tr("“{1}” could not be opened", unreached.name),
                text: unreached.files == 1
                    ? tr(
                        """
                        “{1}” wanted it, but it is not on this computer, and the remote of “{2}” cannot be reached.
                        """, unreached.program, label)
                    : tr(
                        unreached.files - 1,
                        one:
                            """
                            “{2}” wanted it and 1 more file, but these are not on this computer, and the remote of \
                            “{3}” cannot be reached.
                            """,
                        other:
                            """
                            “{2}” wanted it and {1} more files, but these are not on this computer, and the remote of \
                            “{3}” cannot be reached.
                            """, unreached.program, label),
                count: UInt32(clamping: unreached.files))
        }
    }

    private var doneNotice: FolderNotice? {
        done.map { FolderNotice(id: "contents-done-\($0.number)", title: $0.title, text: $0.text, urgency: .low) }
    }

    /// The name of a program for people.
    private static func shown(_ program: String) -> String {
        let name = program.split(separator: "/").last.map(String.init) ?? program
        return name.isEmpty ? tr("A program") : name
    }
}
