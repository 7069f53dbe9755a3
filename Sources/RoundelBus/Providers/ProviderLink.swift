public import DBus
import Support

/// Connects a ``Provider`` to the badge service: exports it, registers it, and registers it again whenever the service
/// restarts, has refused the registration, or reports that it has none. The latest folders, pictures, images and
/// statuses are kept here and sent again automatically.
///
/// Runs on the thread of the connection's loop.
public final class ProviderLink {
    private let bus: Connection
    private let registration: ProviderRegistration
    private let object: ObjectPath
    private unowned let provider: any Provider
    private var folders: [FolderOffer]?
    /// The replies that wait for the registration, with which the folders are sent.
    private var folderReplies: [(Result<Void, DBusError>) -> Void] = []
    private var images: [BadgeImage] = []
    private var pictures: [String: OwnPicture] = [:]
    private var reports: [ItemURI: FolderReport] = [:]
    private var exported: Registration?
    private let sandboxes: SandboxGate
    private var ownerWatch: Registration?
    /// The connection that owns the service's name. Calls use it instead of the name, because a call to the name would
    /// start a service that has just ended.
    private var service: String?
    private var isStopped = false
    private var backOff = BackOff()
    private lazy var retry = bus.loop.makeTimer { [weak self] in
        if let self, service != nil, !isRegistered { register() }
    }
    /// Counts the owners of the service's name. Replies of earlier owners are ignored.
    private var ownerCount = 0
    /// Whether the service runs and has accepted the registration.
    public private(set) var isRegistered = false

    /// - Parameters:
    ///   - provider: The provider, which must outlive the link.
    ///   - registration: The registration; the provider is exported at its `object`.
    ///   - bus: The connection on which the provider is exported, with its event loop.
    /// - Throws: The error of the bus if the object's path cannot be used.
    public init(_ provider: any Provider, registration: ProviderRegistration, on bus: Connection) throws {
        self.provider = provider
        self.registration = registration
        self.bus = bus
        sandboxes = SandboxGate(bus: bus)
        object = try ObjectPath(registration.object)
    }

    /// Exports the provider and registers it as soon as the service runs.
    public func start() throws {
        let interface = ProviderInterface.make(for: provider).closedToSandboxes(sandboxes) { [weak self] caller in
            caller == self?.service
        }
        exported = try bus.export(interface, at: object)
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

    // MARK: Reports of the provider

    /// Replaces the set of registered folders. If one is refused, the whole set is refused.
    ///
    /// Folders are watched only after the reply. Call ``flush(_:_:)`` before scanning a watched folder: changes made
    /// before its reply may not be reported.
    /// - Parameters:
    ///   - folders: All folders that the provider has from now on.
    ///   - onReply: Called after the registration if the service does not run yet.
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

    /// Stores a picture of the provider's own, and again after each registration, since the service keeps it only as
    /// long as that.
    /// - Parameters:
    ///   - name: 1 to 64 letters, digits, hyphens and underscores; replaces the picture that has this name.
    ///   - bytes: A square PNG, or a plain SVG.
    ///   - onReply: Gets the name of the icon, for ``setBadgeImages(_:)`` and menus; called each time that the picture
    ///     was stored or refused.
    public func storePicture(
        _ name: String, _ bytes: [UInt8], _ onReply: @escaping (Result<String, DBusError>) -> Void
    ) {
        let picture = OwnPicture(bytes: bytes, onReply: onReply)
        pictures[name] = picture
        if isRegistered { send(picture, named: name) }
    }

    private struct OwnPicture {
        let bytes: [UInt8]
        let onReply: (Result<String, DBusError>) -> Void
    }

    /// Reports changed badges. This costs nothing if the service has no observers for them.
    /// - Parameters:
    ///   - directory: The directory that contains the items.
    ///   - columns: The items and their badges.
    ///   - onReply: Gets whether any host observes the directory.
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

    /// Sets the state of a whole folder and all its notices, which replace earlier ones.
    public func setFolderStatus(_ folder: ItemURI, _ status: FolderStatus, notices: [FolderNotice] = []) {
        let report = FolderReport(status: status, notices: notices)
        guard reports[folder] != report else { return }
        reports[folder] = report
        if isRegistered { send(report, of: folder) }
    }

    /// The last report about a folder.
    private struct FolderReport: Equatable {
        let status: FolderStatus
        let notices: [FolderNotice]
    }

    /// Requests all changes made so far; `onReply` is called after they were delivered and accepted. After the first
    /// call, every change in the folder is reported.
    public func flush(_ folder: ItemURI, _ onReply: @escaping (Result<Void, DBusError>) -> Void) {
        guard isRegistered else {
            return onReply(.failure(DBusError(.serviceUnknown, tr("The badge service is not running."))))
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

    /// The reason for a refusal may disappear: another program that has the ID, or a manifest that is not installed
    /// yet. Wrong arguments remain wrong.
    private func registerLater(after error: DBusError) {
        guard !isStopped, service != nil, error.standard != .invalidArgs else { return }
        retry.set(at: backOff.stopped(at: .now))
    }

    private func registered() {
        // The link was stopped during the call: the service must not make calls to an object that is no longer
        // exported.
        guard !isStopped else { return call("Unregister") }
        isRegistered = true
        backOff.started(at: .now)
        restorePictures { [weak self] in
            if let self, !self.images.isEmpty { self.sendImages() }
        }
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

    /// The service does not know the registration, because another program took the ID meanwhile.
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

    /// Calls `finished` when all pictures were stored or refused: what shows a badge looks for its icon only once.
    private func restorePictures(_ finished: @escaping () -> Void) {
        let owner = ownerCount
        var left = pictures.count
        if left == 0 { return finished() }
        for (name, picture) in pictures {
            send(picture, named: name) { [weak self] in
                left -= 1
                if left == 0, let self, self.isRegistered, self.ownerCount == owner { finished() }
            }
        }
    }

    private func send(_ picture: OwnPicture, named name: String, _ finished: @escaping () -> Void = {}) {
        call(
            "StorePicture",
            { writer in
                try writer.append(name)
                try writer.append(bytes: picture.bytes)
            },
            { reply in
                picture.onReply(
                    reply.flatMap { message in
                        var reader = message.reader
                        return Result { () throws(DBusError) in try reader.readString() }
                    })
                finished()
            })
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

    /// Calls the Registry without a timeout: the service replies or leaves the bus, which ends the call as well.
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
