internal import DBus
internal import Support

/// Keeps the machine from sleeping in the middle of something: requests from logind on the system bus what
/// ``SleepGuard`` decides. Without a system bus or logind it does nothing, which is not an error.
///
/// The lock is a `delay` lock (<https://systemd.io/INHIBITOR_LOCKS/>): a sync must not keep a laptop awake in its bag,
/// but may finish what it has half done.
final class SleepInhibitor {
    private let loop: EventLoop
    /// Starts nothing more; calls back when nothing is running any more.
    private let hold: (_ atRest: @escaping () -> Void) -> Void
    private let goOn: () -> Void
    private var decision = SleepGuard()
    private var bus: Connection?
    private var subscription: Registration?
    private var lock: OwnedFileDescriptor?
    /// Work that begins before it fires counts as part of the previous work.
    private lazy var lingering = loop.makeTimer { [unowned self] in handle(.busy(false)) }
    /// In case no signal reports that the machine is awake.
    private lazy var oversleeping = loop.makeTimer { [unowned self] in handle(.awake) }
    /// When connecting to the bus was last tried.
    private var tried: Instant?

    private static let login = "org.freedesktop.login1"
    private static let path: ObjectPath = "/org/freedesktop/login1"
    private static let manager = "org.freedesktop.login1.Manager"

    init(
        loop: EventLoop, hold: @escaping (_ atRest: @escaping () -> Void) -> Void, goOn: @escaping () -> Void
    ) {
        self.loop = loop
        self.hold = hold
        self.goOn = goOn
    }

    /// Sets whether something is in flight.
    func setBusy(_ isBusy: Bool) {
        if isBusy {
            lingering.cancel()
            handle(.busy(true))
        } else if !lingering.isSet {
            lingering.set(after: Patience.Worker.lingering)
        }
    }

    /// Releases the lock and leaves the bus.
    func close() {
        for timer in [lingering, oversleeping] { timer.cancel() }
        lock = nil
        subscription?.cancel()
        bus?.close()
        bus = nil
    }

    private func handle(_ event: SleepGuard.Event) {
        for action in decision.handle(event) {
            switch action {
            case .requestLock: requestLock()
            case .releaseLock: lock = nil
            case .hold:
                oversleeping.set(after: Patience.Worker.oversleeping)
                hold { [weak self] in self?.handle(.atRest) }
            case .goOn:
                oversleeping.cancel()
                goOn()
            }
        }
    }

    private func requestLock() {
        guard let bus = connected() else { return handle(.lockAnswered(isGranted: false)) }
        bus.call(Self.login, Self.path, Self.manager, "Inhibit", timeout: Patience.Worker.systemReply) { writer in
            for text in ["sleep", "Roundel", tr("Files are being synced"), "delay"] { try writer.append(text) }
        } _: { [weak self] result in
            guard let self else { return }
            lock = (try? result.get()).flatMap { message in
                var reader = message.reader
                return (try? reader.readFileDescriptor()).map { OwnedFileDescriptor(owning: $0) }
            }
            if case .failure(let error) = result { log(.debug, "no sleep inhibitor: \(error.message)") }
            handle(.lockAnswered(isGranted: lock != nil))
        }
    }

    /// The system bus; nil if there is none, in which case it is not tried again for a while.
    private func connected() -> Connection? {
        if let bus { return bus }
        guard tried.map({ Instant.now >= $0 + Patience.Worker.systemBus }) ?? true else { return nil }
        tried = .now
        do {
            let bus = try Connection.open(SystemBus.address, on: loop)
            let rule = MatchRule(
                sender: Self.login, path: Self.path, interface: Self.manager, member: "PrepareForSleep")
            subscription = try bus.subscribe(rule) { [weak self] message in
                var reader = message.reader
                guard let isComing = try? reader.readBool() else { return }
                self?.handle(isComing ? .sleepIsComing : .awake)
            }
            bus.onDisconnect = { [weak self] in self?.disconnected() }
            self.bus = bus
        } catch {
            log(.debug, "no system bus: \(error.message)")
        }
        return bus
    }

    private func disconnected() {
        bus = nil
        subscription = nil
        lock = nil
        handle(.lost)
    }
}
