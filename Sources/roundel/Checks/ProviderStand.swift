import Checking
import DBus
import RoundelBus
import Support
import Synchronization

/// The service that a checked provider meets: it takes what a real one takes, and hands everything to the trial.
final class ProviderStand: Sendable {
    private let trial: Mutex<ProviderTrial>
    private let busName: String?
    private let observed = Mutex<Set<String>>([])
    private let registered = Mutex<String?>(nil)

    /// - Parameter busName: The one that the provider has to own; nil if it has no manifest.
    init(_ id: ProviderID, busName: String?) {
        trial = Mutex(ProviderTrial(id: id))
        self.busName = busName
    }

    /// The unique name of the provider; nil while it is not registered.
    var provider: String? { registered.withLock { $0 } }

    /// What is known by now.
    var state: ProviderTrial { trial.withLock { $0 } }

    func note(_ event: ProviderTrial.Event) { trial.withLock { $0.note(event) } }

    func note(_ question: ProviderQuestion, _ answer: ProviderAnswer) { trial.withLock { $0.note(question, answer) } }

    /// Whether a host observes the directory, which the provider is told when it reports badges.
    func observe(_ directory: String, _ isObserved: Bool) {
        observed.withLock { directories in
            if isObserved { directories.insert(directory) } else { directories.remove(directory) }
        }
    }

    /// Takes a provider that runs in the session for one that has registered here.
    func find(_ provider: String, _ object: ObjectPath, folders: [ItemURI], badges: [String]) {
        note(.found(object: object, folders: folders, badges: badges))
        registered.withLock { $0 = provider }
    }

    /// Waits for something; false if it does not come in time.
    func wait(_ limit: Duration, until isSo: (ProviderTrial) -> Bool) async throws -> Bool {
        let deadline = Instant.now.advanced(by: limit)
        while !isSo(state) {
            guard Instant.now < deadline else { return false }
            try await Task.sleep(for: Patience.Checking.looking)
        }
        return true
    }

    // MARK: The service

    /// The owner of the provider's bus name, as the bus reports it: before any call that comes after.
    private final class Owner {
        var name: String?
    }

    /// Becomes the service on this connection.
    func serve(on bus: AsyncConnection) async throws {
        trial.withLock { $0.note(.serviceCame) }
        try await bus.perform { [self] bus in
            let owner = Owner()
            if let busName { _ = try bus.watchName(busName) { owner.name = $0 } }
            _ = try bus.export(registry(owner), at: Names.servicePath)
        }
        guard try await bus.requestName(Names.service, flags: [.doNotQueue]).isOwner else {
            throw CommandFailure(tr("Another service has the name {1} on the bus.", Names.service))
        }
    }

    /// Stops being the service.
    func leave(_ bus: AsyncConnection) async {
        registered.withLock { $0 = nil }
        note(.serviceLeft)
        await bus.close()
    }

    private typealias Method = Interface.Method
    private typealias Argument = Interface.Argument

    private func registry(_ owner: Owner) -> Interface {
        Interface(
            Names.registry,
            methods: [
                register(owner), setFolders, setBadgeImages, storePicture, updateBadges, setFolderStatus,
                method("Flush", [("folder_uri", "s")]) { .flush(folder: try $0.readString()) },
                method("Unregister", []) { _ in .unregister },
            ], properties: [.version])
    }

    /// A method that answers with nothing but a dictionary.
    private func method(
        _ name: String, _ input: [Argument], _ read: @escaping (inout MessageReader) throws -> ProviderCall
    ) -> Method {
        Method(name, in: input + [("options", "a{sv}")], out: [("extra", "a{sv}")]) { [self] call in
            var reader = call.reader
            if accept(try read(&reader), call) { call.reply { try $0.append(map: [:]) } }
        }
    }

    /// Hands a call to the trial; answers it, if it is refused.
    private func accept(_ asked: ProviderCall, _ call: MethodCall) -> Bool {
        let refusal = trial.withLock { $0.note(asked) }
        if let refusal { call.fail(refusal) }
        return refusal == nil
    }

    private func register(_ owner: Owner) -> Method {
        Method("Register", in: [("object", "o"), ("options", "a{sv}")], out: [("extra", "a{sv}")]) { [self] call in
            var reader = call.reader
            let object = try reader.readObjectPath()
            let options = try reader.readVariantMap()
            let ownsName = busName.map { _ in owner.name == call.sender }
            guard accept(.register(object: object, options: options, ownsName: ownsName), call) else { return }
            registered.withLock { $0 = call.sender }
            call.reply { try $0.append(map: [:]) }
        }
    }

    private var setFolders: Method {
        method("SetFolders", [("folders", "a(sa{sv})")]) { reader in
            .setFolders(
                try reader.readArray { element in
                    try element.readStruct { .init(uri: try $0.readString(), options: try $0.readVariantMap()) }
                })
        }
    }

    private var setBadgeImages: Method {
        method("SetBadgeImages", [("images", "a(sss)")]) { reader in
            .setBadgeImages(
                try reader.readArray { element in
                    try element.readStruct {
                        .init(badge: try $0.readString(), label: try $0.readString(), icon: try $0.readString())
                    }
                })
        }
    }

    /// Nothing is saved: what a picture may be is the service's to say.
    private var storePicture: Method {
        Method(
            "StorePicture", in: [("name", "s"), ("picture", "ay"), ("options", "a{sv}")],
            out: [("icon", "s"), ("extra", "a{sv}")]
        ) { [self] call in
            var reader = call.reader
            let name = try reader.readString()
            guard accept(.storePicture(name: name), call) else { return }
            call.reply { writer in
                try writer.append("roundel-picture.checked")
                try writer.append(map: [:])
            }
        }
    }

    private var updateBadges: Method {
        let input: [Argument] = [
            ("directory_uri", "s"), ("names", "as"), ("badges", "as"), ("flags", "au"), ("progress", "ay"),
            ("options", "a{sv}"),
        ]
        return Method("UpdateBadges", in: input, out: [("observed", "b"), ("extra", "a{sv}")]) { [self] call in
            var reader = call.reader
            let directory = try reader.readString()
            let update = ProviderCall.Update(
                directory: directory, names: try reader.readStringArray(), badges: try reader.readStringArray(),
                flags: try reader.readUInt32Array().count, progress: try reader.readBytes())
            guard accept(.updateBadges(update), call) else { return }
            let isObserved = observed.withLock { $0.contains(directory) }
            call.reply { writer in
                try writer.append(isObserved)
                try writer.append(map: [:])
            }
        }
    }

    private var setFolderStatus: Method {
        let input: [Argument] = [("folder_uri", "s"), ("state", "u"), ("text", "s"), ("progress", "y")]
        return method("SetFolderStatus", input) { reader in
            .setFolderStatus(
                folder: try reader.readString(), state: try reader.readUInt32(), text: try reader.readString(),
                progress: try reader.readByte(), options: try reader.readVariantMap())
        }
    }
}
