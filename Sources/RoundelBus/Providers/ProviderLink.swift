public import DBus
import Support

/// Connects a ``Provider`` with the badge service: exports it, registers it, and registers it again whenever the
/// service comes back, has refused it, or says that it is not registered. What was set last (folders, images, status) is kept here and said again by itself.
///
/// Lives on the thread of the connection's loop.
public final class ProviderLink {
    private let bus: Connection
    private let registration: ProviderRegistration
    private let object: ObjectPath
    private unowned let provider: any Provider
    private var folders: [FolderOffer]?
    /// Waits for the registration, with which the folders go out.
    private var folderReplies: [(Result<Void, DBusError>) -> Void] = []
    private var images: [BadgeImage] = []
    private var reports: [ItemURI: FolderReport] = [:]
    private var exported: Registration?
    private var ownerWatch: Registration?
    /// The connection that owns the service's name. Calls go to it and not to the name, because a call of the name would
    /// start a service that has just ended.
    private var service: String?
    private var isStopped = false
    private var backOff = BackOff()
    private lazy var retry = bus.loop.makeTimer { [weak self] in
        if let self, service != nil, !isRegistered { register() }
    }
    /// Counts the owners of the service's name. An answer of an earlier owner is ignored.
    private var ownerCount = 0
    /// Whether the service has accepted the registration and is there.
    public private(set) var isRegistered = false

    /// - Parameters:
    ///   - provider: must outlive the link.
    ///   - registration: its `object` is where the provider is exported.
    ///   - bus: the connection on which the provider is exported, with its event loop.
    /// - Throws: what the bus says of the object's path.
    public init(_ provider: any Provider, registration: ProviderRegistration, on bus: Connection) throws {
        self.provider = provider
        self.registration = registration
        self.bus = bus
        object = try ObjectPath(registration.object)
    }

    /// Exports the provider and registers as soon as the service is there.
    public func start() throws {
        exported = try bus.export(ProviderInterface.make(for: provider), at: object)
        ownerWatch = try bus.watchName(Names.service) { [weak self] owner in
            guard let self else { return }
            self.serviceLeft()
            self.service = owner
            if owner != nil { self.register() }
        }
    }

    /// Withdraws the provider: unregisters it and stops exporting it.
    public func stop() {
        if isRegistered { call("Unregister") }
        ownerWatch?.cancel()
        retry.cancel()
        exported?.cancel()
        isRegistered = false
        isStopped = true
    }

    // MARK: What the provider says

    /// Replaces the set of registered folders; refused as a whole if one is refused.
    ///
    /// Watches are set after the reply. Of a watched folder, ask for ``flush(_:_:)`` before looking at what is in it:
    /// what changes before that is answered may not be reported.
    /// - Parameters:
    ///   - folders: all that the provider has from now on.
    ///   - onReply: comes after the registration if the service is not there yet.
    public func setFolders(_ folders: [FolderOffer], _ onReply: @escaping (Result<Void, DBusError>) -> Void = { _ in })
    {
        self.folders = folders
        reports = reports.filter { entry in folders.contains { $0.folder == entry.key } }
        if isRegistered { sendFolders(onReply) } else { folderReplies.append(onReply) }
    }

    /// Replaces the provider's badge images.
    public func setBadgeImages(_ images: [BadgeImage]) {
        self.images = images
        if isRegistered { sendImages() }
    }

    /// Says that badges changed; costs nothing at a service that nobody asked about them.
    /// - Parameters:
    ///   - directory: the directory that the items lie in.
    ///   - columns: the items and their badges.
    ///   - onReply: whether anybody observes the directory.
    public func updateBadges(
        in directory: ItemURI, _ columns: BadgeColumns,
        _ onReply: @escaping (Result<Bool, DBusError>) -> Void = { _ in }
    ) {
        guard isRegistered else { return onReply(.success(false)) }
        call(
            "UpdateBadges",
            { writer in
                try writer.append(directory)
                try writer.append(columns: columns)
            },
            { reply in
                onReply(
                    reply.flatMap { message in
                        var reader = message.reader
                        return Result { () throws(DBusError) in try reader.readBool() }
                    })
            })
    }

    /// Says how a folder as a whole is doing, and what in it needs the person: these notices and no others.
    public func setFolderStatus(_ folder: ItemURI, _ status: FolderStatus, notices: [FolderNotice] = []) {
        let report = FolderReport(status: status, notices: notices)
        guard reports[folder] != report else { return }
        reports[folder] = report
        if isRegistered { send(report, of: folder) }
    }

    /// What was said last of a folder.
    private struct FolderReport: Equatable {
        let status: FolderStatus
        let notices: [FolderNotice]
    }

    /// Asks for every change made before now; `onReply` comes after they were delivered and accepted. After the first
    /// one every change of the folder is reported.
    public func flush(_ folder: ItemURI, _ onReply: @escaping (Result<Void, DBusError>) -> Void) {
        guard isRegistered else {
            return onReply(.failure(DBusError(.serviceUnknown, "The badge service is not running.")))
        }
        call("Flush", { try $0.append(folder) }, { onReply($0.map { _ in }) })
    }

    // MARK: Registering

    private func register() {
        let registration = registration
        let object = object
        let owner = ownerCount
        call(
            "Register",
            { writer in
                try writer.append(object)
                try writer.append(map: registration.wire)
            }, extras: false
        ) { [weak self] reply in
            guard let self, self.ownerCount == owner else { return }
            switch reply {
            case .success: self.registered()
            case .failure(let error):
                self.finishRegistering(.failure(error))
                self.registerLater(after: error)
            }
        }
    }

    /// What refuses a registration may go: another program that has the id, a manifest that is not installed yet. What
    /// is wrong with the arguments stays.
    private func registerLater(after error: DBusError) {
        guard !isStopped, service != nil, error.standard != .invalidArgs else { return }
        retry.set(at: backOff.stopped(at: .now))
    }

    private func registered() {
        // Stopped while the call was on its way: the service must not go on to ask what is exported no more.
        guard !isStopped else { return call("Unregister") }
        isRegistered = true
        backOff.started(at: .now)
        if !images.isEmpty { sendImages() }
        sendFolders { [weak self] result in
            guard let self else { return }
            for (folder, report) in self.reports { self.send(report, of: folder) }
            self.finishRegistering(result)
        }
    }

    private func finishRegistering(_ result: Result<Void, DBusError>) {
        let waiting = folderReplies
        folderReplies = []
        for reply in waiting { reply(result) }
        provider.registrationChanged(result)
    }

    private func serviceLeft() {
        ownerCount += 1
        retry.cancel()
        guard isRegistered else { return }
        isRegistered = false
        provider.registrationChanged(nil)
    }

    /// The service knows nothing of the registration: the id went to another program meanwhile.
    private func registrationWasLost(_ error: DBusError, at owner: Int) {
        guard isRegistered, ownerCount == owner else { return }
        isRegistered = false
        provider.registrationChanged(.failure(error))
        registerLater(after: error)
    }

    private func sendFolders(_ onReply: @escaping (Result<Void, DBusError>) -> Void) {
        guard let folders else { return onReply(.success(())) }
        call(
            "SetFolders",
            { writer in
                try writer.appendArray(of: "(sa{sv})") { writer in
                    for offer in folders {
                        try writer.appendStruct { writer in
                            try writer.append(offer.folder)
                            try writer.append(map: offer.wireOptions)
                        }
                    }
                }
            }, { onReply($0.map { _ in }) })
    }

    private func sendImages() {
        let images = images
        call(
            "SetBadgeImages",
            { writer in
                try writer.appendArray(of: "(sss)") { writer in
                    for image in images {
                        try writer.appendStruct { writer in
                            try writer.append(image.badge.identifier)
                            try writer.append(image.label)
                            try writer.append(image.icon)
                        }
                    }
                }
            },
            { [weak self] reply in
                if case .failure(let error) = reply { self?.provider.registrationChanged(.failure(error)) }
            })
    }

    private func send(_ report: FolderReport, of folder: ItemURI) {
        call(
            "SetFolderStatus",
            { writer in
                try writer.append(folder)
                try writer.append(report.status.state.rawValue)
                try writer.append(report.status.text)
                try writer.append(report.status.progress)
                let notices = report.notices.map(\.wire)
                try writer.append(map: notices.isEmpty ? [:] : ["notices": .maps(notices)])
            }, extras: false)
    }

    /// Calls the Registry without a time-out: the service answers or leaves the bus, which ends the call as well.
    private func call(
        _ method: String, _ write: @escaping (inout MessageWriter) throws -> Void = { _ in }, extras: Bool = true,
        _ onReply: @escaping (Result<Message, DBusError>) -> Void = { _ in }
    ) {
        let owner = ownerCount
        bus.call(
            service ?? Names.service, Names.servicePath, Names.registry, method, timeout: nil,
            { writer in
                try write(&writer)
                if extras { try writer.appendNoExtras() }
            }
        ) { [weak self] reply in
            onReply(reply)
            if case .failure(let error) = reply, error.roundelCode == .notRegistered {
                self?.registrationWasLost(error, at: owner)
            }
        }
    }
}
