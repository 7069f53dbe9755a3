internal import BadgeService
internal import DBus
internal import RoundelBus
internal import Support
internal import SystemPackage

/// Shows what needs the user's attention as desktop notifications (D12), over `org.freedesktop.Notifications`. Their
/// actions are passed to the providers. Failed actions are reported here as well (E7).
final class Notifications {
    private let loop: EventLoop
    private let host: LocalHost
    private let daemon: NotificationDaemon
    private let file: ToldMatters
    private let saver: StateSaver
    private var board = NotificationBoard()
    /// Reads what an earlier run has shown, on a thread of its own.
    private var reading: BackgroundWork<ToldMatters.Contents>?
    private lazy var timer = loop.makeTimer { [unowned self] in perform(board.timePassed(now: .now)) }

    init(host: LocalHost, bus: Connection, saver: StateSaver) throws {
        loop = bus.loop
        self.host = host
        self.saver = saver
        daemon = NotificationDaemon(bus: bus)
        file = ToldMatters(folder: (BaseDirectories().state ?? "/").appending(Names.stateFolder))
        try daemon.watch { [weak self] in self?.take($0) }
        host.onReport = { [weak self] report in
            guard let self else { return }
            perform(board.ended(report, now: .now))
        }
        let reading = try BackgroundWork(loop, name: "notified") { [weak self] in self?.begin(told: $0) }
        try reading.start { [file] in file.load() }
        self.reading = reading
    }

    /// Shows notices from now on, without those that an earlier run has shown.
    private func begin(told: ToldMatters.Contents) {
        board.recall(told)
        host.onChange = { [weak self] changed in
            guard let self else { return }
            let matters = !changed.isDisjoint(with: [.folders, .notices, .consents, .newProviders])
            if matters || changed.contains(.folderStatus) && board.awaitsReports { update() }
        }
        update()
    }

    private func update() {
        // If a folder's state is unknown, its provider has not reported it yet, or is gone.
        let reported = Set(host.folders.filter { $0.state != .unknown }.map(\.folder))
        let isReported = { (folder: ItemURI) in reported.contains(folder) }
        perform(
            board.update(host.notices, questions: host.newProviders, isReported: isReported, now: .now))
    }

    private func remember(_ told: ToldMatters.Contents) {
        saver.save(
            "notified",
            { [file] in
                do throws(Errno) {
                    try file.save(told)
                    return nil
                } catch {
                    return "Which notifications were shown cannot be kept for the next start: \(error)"
                }
            }, { problem in if let problem { log(.warning, problem) } })
    }

    private func take(_ event: NotificationDaemon.Event) {
        let now = Instant.now
        switch event {
        case .changed: perform(board.daemonChanged(now: now))
        case .closed(let number): perform(board.closed(number, now: now))
        case .invoked(let number, let button, let token): invoke(number, button, token)
        }
    }

    private func perform(_ steps: [NotificationBoard.Step]) {
        for step in steps {
            switch step {
            case .connect: connect()
            case .show(let subject, let content, let replaced): show(subject, content, replaced)
            case .close(let number): daemon.close(number)
            case .setTimer(let deadline):
                if let deadline { timer.set(at: deadline) } else { timer.cancel() }
            case .remember(let told): remember(told)
            }
        }
        daemon.follows = !board.bubbles.isEmpty
    }

    private func connect() {
        daemon.connect { [weak self] presence in
            guard let self else { return }
            let now = Instant.now
            switch presence {
            case .present: perform(board.connected(now: now))
            case .silent: perform(board.silent(now: now))
            case .absent: perform(board.disconnected(now: now))
            }
        }
    }

    private func show(_ subject: NotificationBoard.Subject, _ content: NotificationContent, _ replaced: UInt32) {
        daemon.show(content, replacing: replaced) { [weak self] result in
            guard let self else { return }
            switch result {
            case .shown(let number): perform(board.shown(subject, as: number, now: .now))
            case .refused(let reason):
                log(.warning, "A notification was not shown: \(reason)")
                board.refused(subject)
                perform([])
            case .lost: perform(board.lost(subject, now: .now))
            }
        }
    }

    private func invoke(_ number: UInt32, _ button: String, _ token: String?) {
        let finished: (Result<Void, RoundelError>) -> Void = { [weak self] result in
            guard let self, case .failure(let error) = result else { return }
            perform(board.ended(ActionReport(provider: "", label: "", message: error.message), now: .now))
        }
        switch board.subject(of: number) {
        case .notice(let folder, let notice):
            let options = ActivationOptions(activationToken: token)
            host.activate(notice: notice, of: folder, action: button, options: options, answer: finished)
        case .provider(let id): host.answer(button, about: id, answer: finished)
        case .summary, .failure, .answer, nil: break
        }
    }
}
