internal import DBus
internal import RoundelBus
internal import Support
internal import SystemPackage

/// Finds the person's Syncthing, stays connected to it and passes on its events.
///
/// While nothing happens it waits for the next event, and there is no other traffic.
final class SyncthingWatch {
    /// What is found out.
    enum News {
        /// Syncthing answers. Everything that was known of its folders is to be asked anew.
        case reached(SyncthingConfiguration, connected: Set<PeerID>)
        case configuration(SyncthingConfiguration)
        case event(SyncthingEvent.Fact)
        /// It cannot be asked, with the reason as a sentence, and the folders that its configuration names if that can
        /// be read.
        case lost(String, folders: [FolderSettings])
    }

    private let loop: EventLoop
    private let base: BaseDirectories
    private let onNews: (News) -> Void
    private var reading: BackgroundWork<Result<SyncthingPlace, SyncthingPlace.Trouble>>?
    private var place: SyncthingPlace?
    private(set) var client: RestClient?
    private var own: PeerID = ""
    private var lastEvent: Int64 = 0
    private var delay = Patience.Syncthing.retry
    private var isReading = false
    private lazy var retry = loop.makeTimer { [weak self] in self?.look() }
    private lazy var nextEvents = loop.makeTimer { [weak self] in self?.waitForEvents() }

    /// - Parameter onNews: Called on the loop.
    init(_ loop: EventLoop, base: BaseDirectories = BaseDirectories(), onNews: @escaping (News) -> Void) throws {
        self.loop = loop
        self.base = base
        self.onNews = onNews
        reading = try BackgroundWork(loop, name: "configuration") { [weak self] in self?.read($0) }
    }

    /// The page of Syncthing's own interface; nil while it is not known.
    var page: String? { client == nil ? nil : place?.address.page(tls: place?.settings.usesTLS ?? false) }

    func start() { look() }

    func stop() {
        retry.cancel()
        end()
    }

    /// Ends the connections. What they were asked fails, and nobody takes that for news.
    private func end() {
        nextEvents.cancel()
        let ended = client
        client = nil
        ended?.close()
    }

    /// Looks for Syncthing now if it was not there, because somebody looks at its folders.
    func lookNow() {
        guard client == nil, !isReading, retry.isSet else { return }
        retry.set(after: .zero)
    }

    private func look() {
        guard !isReading else { return }
        isReading = true
        let directories = SyncthingPlace.directories(base)
        let read: @Sendable () -> Result<SyncthingPlace, SyncthingPlace.Trouble> = {
            Result { () throws(SyncthingPlace.Trouble) in try SyncthingPlace.read(directories) }
        }
        do { try reading?.start(read) } catch { self.read(read()) }
    }

    private func read(_ result: Result<SyncthingPlace, SyncthingPlace.Trouble>) {
        isReading = false
        switch result {
        case .failure(let trouble):
            place = nil
            lose(Self.sentence(trouble))
        case .success(let place):
            self.place = place
            do {
                client = try RestClient(place, on: loop)
            } catch {
                return lose(tr("Syncthing's certificate cannot be used: {1}.", "\(error)"))
            }
            checkVersion()
        }
    }

    // MARK: Beginning

    private func checkVersion() {
        ask(.version) { [weak self] answer in
            // Other programs answer at a port as well, and with anything.
            guard let text = answer["version"].string else {
                self?.lose(Self.otherProgram)
                return
            }
            if let version = SyncthingVersion(text), version < .oldest {
                let oldest = "\(SyncthingVersion.oldest.major).\(SyncthingVersion.oldest.minor)"
                self?.lose(tr("Syncthing {1} is too old. It must be version {2} or newer.", text, oldest))
            } else {
                self?.begin()
            }
        }
    }

    /// Begins with the newest event, so that none is missed that comes while the state is asked for.
    private func begin() {
        ask(.newestEvent) { [weak self] events in
            self?.lastEvent = events.values.last?["id"].integer ?? 0
            self?.ask(.status) { [weak self] status in
                self?.own = status["myID"].string ?? ""
                self?.ask(.connections) { [weak self] connections in
                    let connected = connections["connections"].entries.filter { $0.value["connected"].bool ?? false }
                    self?.askConfiguration { configuration in
                        self?.delay = Patience.Syncthing.retry
                        self?.onNews(.reached(configuration, connected: Set(connected.map(\.key))))
                        self?.waitForEvents()
                    }
                }
            }
        }
    }

    private func askConfiguration(_ done: @escaping (SyncthingConfiguration) -> Void) {
        ask(.configuration) { [weak self] answer in
            guard let self else { return }
            done(SyncthingConfiguration(answer, own: own, home: base.home?.string ?? "/"))
        }
    }

    /// Sends a request without which nothing goes on.
    private func ask(_ request: RestRequest, _ done: @escaping (JSON) -> Void) {
        let asked = client
        client?.send(request) { [weak self, weak asked] outcome in
            guard let self, let asked, client === asked else { return }
            switch outcome {
            case .answer(200, let answer): done(answer)
            case .answer(let status, _): lose(Self.sentence(status))
            case .failed: lose(asked.isForeign ? Self.otherProgram : tr("Syncthing is not running"))
            }
        }
    }

    // MARK: Events

    private func waitForEvents() {
        let asked = Instant.now
        ask(.events(after: lastEvent)) { [weak self] answer in
            let events = answer.values.compactMap(SyncthingEvent.init)
            // Syncthing waits a second at least before it says that there is no event. Where that comes at once, asking
            // again at once would never end.
            if events.isEmpty && Instant.now < asked + .milliseconds(900) {
                self?.nextEvents.set(after: Patience.Syncthing.retry)
            } else {
                self?.take(events)
            }
        }
    }

    private func take(_ events: [SyncthingEvent]) {
        // Syncthing keeps the latest thousand. Where some are missing, everything is asked anew.
        if let first = events.first, first.id != lastEvent + 1 { return begin() }
        for event in events {
            lastEvent = event.id
            switch event.fact {
            case .configurationChanged?:
                askConfiguration { [weak self] in self?.onNews(.configuration($0)) }
            case let fact?: onNews(.event(fact))
            case nil: break
            }
        }
        waitForEvents()
    }

    // MARK: Losing it

    private func lose(_ sentence: String) {
        end()
        onNews(.lost(sentence, folders: place?.folders(home: base.home?.string ?? "/") ?? []))
        retry.set(after: delay)
        delay = min(delay * 2, Patience.Syncthing.longestRetry)
    }

    private static var otherProgram: String { tr("Another program answers at Syncthing's address") }

    private static func sentence(_ status: Int) -> String {
        switch status {
        case 401, 403: tr("Syncthing refuses the key in its configuration; restart it")
        default: tr("Syncthing answers with an error ({1})", "\(status)")
        }
    }

    private static func sentence(_ trouble: SyncthingPlace.Trouble) -> String {
        switch trouble {
        case .neverRan: tr("Syncthing is not set up: it has no configuration")
        case .unreadable(let file): tr("Syncthing's configuration cannot be read: {1}", file)
        case .noInterface: tr("Syncthing's interface (GUI) is switched off in its configuration")
        case .notLocal(let address):
            tr("Syncthing's interface (GUI) is at {1}, not on this computer alone, and is not used", address)
        }
    }
}
