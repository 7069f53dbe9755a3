internal import BadgeEngine
internal import DBus
internal import RoundelBus
internal import Support

/// `org.roundel.Roundel1.Registry` on the bus, for providers.
struct RegistryInterface {
    /// Handles the calls.
    let driver: EngineDriver
    /// Notices when callers leave.
    let clients: ClientWatch
    /// Says which programs are in a sandbox, and what they see.
    let sandboxes: SandboxGate
    /// Must be read before a registration.
    let manifests: ManifestTable
    /// In which the labels of badges are chosen, best first.
    let locales: [String]

    /// The interface for the bus.
    var exported: Interface {
        Interface(Names.registry, methods: registering + telling, properties: [.version])
    }

    private static let options: [Interface.Argument] = [("options", "a{sv}")]
    private static let extra: [Interface.Argument] = [("extra", "a{sv}")]

    /// A method whose arguments `read` turns into a request; its last argument is `options`.
    private func method(
        _ name: String, _ input: [Interface.Argument], _ output: [Interface.Argument] = [],
        _ read: @escaping (inout MessageReader) throws -> RegistryRequest
    ) -> Interface.Method {
        Interface.Method(name, in: input + Self.options, out: output + Self.extra) {
            [driver, clients, sandboxes, manifests] call in
            var reader = call.reader
            let caller = call.sender
            let request = try read(&reader)
            switch request {
            case .register(var registration):
                clients.follow(caller)
                sandboxes.identify(caller) { found in
                    switch found {
                    case .outside: break
                    case .program(let program): registration.program = program
                    case .unknown(let refusal): return call.fail(DBusError(refusal))
                    }
                    // A manifest may just have been installed.
                    manifests.whenRead(for: caller) { driver.submit(.register(registration), from: caller, call) }
                }
            case .setFolders(let offers):
                sandboxes.look(for: offers.map(\.folder), by: caller) { unseen in
                    if let unseen { return call.fail(DBusError(Self.unseen(unseen))) }
                    manifests.inOrder(of: caller) { driver.submit(request, from: caller, call) }
                }
            case .setBadgeImages, .storePicture, .updateBadges, .setFolderStatus, .flush, .unregister:
                sandboxes.afterChecks(of: caller) {
                    manifests.inOrder(of: caller) { driver.submit(request, from: caller, call) }
                }
            }
        }
    }

    /// The refusal of a folder that the sandbox of its provider does not see.
    private static func unseen(_ folder: ItemURI) -> RoundelError {
        RoundelError(
            .accessDenied,
            tr(
                "This program runs in a sandbox that does not see {1}. Let it open that folder first.",
                folder.sentencePath))
    }

    private var registering: [Interface.Method] {
        [
            method("Register", [("object", "o")]) { reader in
                let object = try reader.readObjectPath().rawValue
                return .register(ProviderRegistration(object: object, options: try reader.readOptions()))
            },
            method("SetFolders", [("folders", "a(sa{sv})")]) { reader in
                // All of them share one: a thousand could each have as much as one call may.
                var budget = ValueBudget.options
                return .setFolders(
                    try reader.readRows(
                        atMost: Limits.foldersPerProvider,
                        else: {
                            tr(
                                $0, one: "A provider has at most {1} folder.",
                                other: "A provider has at most {1} folders.")
                        }
                    ) { reader in
                        FolderOffer(
                            folder: try reader.readItemURI(), wireOptions: try reader.readOptions(within: &budget))
                    })
            },
            method("SetBadgeImages", [("images", "a(sss)")]) { [locales] reader in
                let images = try reader.readRows(atMost: Limits.badgeImages, else: Refusal.tooManyBadgeImages) {
                    reader in
                    BadgeImage(
                        badge: Badge(try reader.readString()), label: try reader.readString(),
                        icon: try reader.readString())
                }
                let labels = try reader.readOptions()["labels"]?.badgeLabels ?? [:]
                return .setBadgeImages(images.map { $0.labelled(labels, in: locales) })
            },
            method("StorePicture", [("name", "s"), ("picture", "ay")], [("icon", "s")]) { reader in
                .storePicture(name: try reader.readString(), try reader.readBytes())
            },
            method("Unregister", []) { _ in .unregister },
        ]
    }

    private var telling: [Interface.Method] {
        [
            method(
                "UpdateBadges",
                [("directory_uri", "s"), ("names", "as"), ("badges", "as"), ("flags", "au"), ("progress", "ay")],
                [("observed", "b")]
            ) { reader in
                .updateBadges(try reader.readItemURI(), try reader.readColumns())
            },
            method(
                "SetFolderStatus", [("folder_uri", "s"), ("state", "u"), ("text", "s"), ("progress", "y")]
            ) { reader in
                .setFolderStatus(
                    try reader.readItemURI(),
                    FolderStatus(
                        // A value of a later version means nothing here.
                        state: FolderState(rawValue: try reader.readUInt32()) ?? .unknown,
                        text: try reader.readString(), progress: try reader.readByte()),
                    try reader.readOptions().folderNotices())
            },
            method("Flush", [("folder_uri", "s")]) { reader in .flush(try reader.readItemURI()) },
        ]
    }
}

extension MessageReader {
    /// Reads an array of structures, limited in length.
    /// - Throws: `LimitExceeded`, and any error of `body`.
    fileprivate mutating func readRows<T>(
        atMost limit: Int, else sentence: (Int) -> String, _ body: (inout MessageReader) throws -> T
    ) throws -> [T] {
        var rows: [T] = []
        try forEachElement { reader in
            guard rows.count < limit else {
                throw DBusError(RoundelError(.limitExceeded, sentence(limit)))
            }
            rows.append(try reader.readStruct(body))
        }
        return rows
    }
}

extension BadgeImage {
    /// The image with its label in the best of the locales that has one; with the label that it has where none does.
    func labelled(_ labels: [String: [String: String]], in locales: [String]) -> BadgeImage {
        var image = self
        image.label =
            Locales.best(of: locales) { labels[$0]?[badge.identifier].flatMap { $0.isEmpty ? nil : $0 } } ?? label
        return image
    }
}

extension ProviderRegistration {
    /// The arguments of Register; unknown options and wrong types are ignored.
    fileprivate init(object: String, options: VariantMap) {
        self.init(
            object: object, id: options.string("id") ?? "", name: options.string("name") ?? "",
            icon: options.string("icon") ?? "",
            toolbarItem: options["toolbar-item"].flatMap { ToolbarItem(wire: $0) },
            services: options["services"]?.services ?? [:])
    }
}
