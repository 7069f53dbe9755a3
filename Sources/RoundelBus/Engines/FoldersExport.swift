package import DBus
internal import Support

/// What an engine of a few folders has to say for `org.roundel.Roundel1.Engine.Folders`.
package protocol FolderKeeper: AnyObject {
    /// The folders in the order in which they were added.
    func listFolders() -> [SyncedFolder]
    /// The present state of these folders.
    func status(of folders: [SyncedFolder], answer: @escaping ([SyncFolderStatus]) -> Void)
    /// Adds a folder and gives its id.
    func addFolder(_ folder: ItemURI, label: String, answer: @escaping (Result<String, RoundelError>) -> Void)
    /// Forgets a folder; nothing in it is changed.
    func removeFolder(_ folder: SyncedFolder) throws(RoundelError)
}

/// Exports the folders of a small engine: its list, their state, adding and removing. The engine has no runs that a
/// program could start, so that the rest of the interface is absent.
package final class FoldersExport {
    private static let options: [Interface.Argument] = [("options", "a{sv}")]
    private static let extra: [Interface.Argument] = [("extra", "a{sv}")]

    private let bus: Connection
    private let object: ObjectPath
    private unowned let keeper: any FolderKeeper
    private var exported: Registration?

    /// - Parameters:
    ///   - keeper: Knows the folders; must outlive this object.
    ///   - object: Where the interface is exported.
    package init(_ keeper: any FolderKeeper, on bus: Connection, at object: ObjectPath) throws {
        self.keeper = keeper
        self.bus = bus
        self.object = object
        exported = try bus.export(interface.closedToSandboxes(SandboxGate(bus: bus)), at: object)
    }

    /// Tells that a folder was added or removed.
    package func foldersChanged() {
        try? bus.emit(object, EngineInterface.folders.name, "FoldersChanged") { try $0.append(map: [:]) }
    }

    /// Tells the state of a folder.
    package func statusChanged(_ status: SyncFolderStatus) {
        try? bus.emit(object, EngineInterface.folders.name, "StatusChanged") { writer in
            try writer.append(status.id)
            try writer.append(map: status.map)
            try writer.append(map: [:])
        }
    }

    private var interface: Interface {
        Interface(
            EngineInterface.folders.name,
            methods: [
                Interface.Method("ListFolders", in: Self.options, out: [("folders", "aa{sv}")] + Self.extra) {
                    [unowned self] call in Self.reply(call, keeper.listFolders().map(\.map))
                },
                Interface.Method(
                    "Status", in: [("folder", "s")] + Self.options, out: [("folders", "aa{sv}")] + Self.extra
                ) { [unowned self] call in
                    var reader = call.reader
                    keeper.status(of: try named(try reader.readString())) { Self.reply(call, $0.map(\.map)) }
                },
                addition, removal,
            ], properties: [.version],
            signals: [
                Interface.Signal("FoldersChanged", Self.extra),
                Interface.Signal("StatusChanged", [("folder", "s"), ("status", "a{sv}")] + Self.extra),
            ])
    }

    private var addition: Interface.Method {
        Interface.Method(
            "AddFolder", in: [("uri", "s"), ("remote", "s")] + Self.options, out: [("folder", "s")] + Self.extra
        ) { [unowned self] call in
            var reader = call.reader
            let folder = try reader.readItemURI()
            _ = try reader.readString()
            let options = try reader.readOptions()
            keeper.addFolder(folder, label: options.string("label") ?? "") { result in
                switch result {
                case .success(let id):
                    call.reply { writer in
                        try writer.append(id)
                        try writer.append(map: [:])
                    }
                case .failure(let error): call.fail(DBusError(error))
                }
            }
        }
    }

    private var removal: Interface.Method {
        Interface.Method("RemoveFolder", in: [("folder", "s")] + Self.options, out: Self.extra) {
            [unowned self] call in
            var reader = call.reader
            for folder in try named(try reader.readString()) {
                do throws(RoundelError) {
                    try keeper.removeFolder(folder)
                } catch {
                    return call.fail(DBusError(error))
                }
            }
            call.reply { try $0.append(map: [:]) }
        }
    }

    /// The folders that a text names, by an id or by the URI of something in one; all for "".
    private func named(_ text: String) throws(DBusError) -> [SyncedFolder] {
        let folders = keeper.listFolders()
        if text.isEmpty { return folders }
        let item = try? ItemURI(text)
        let found = folders.first { folder in
            folder.id == text
                || item.map { item in (try? ItemURI(folder.uri)).map { item.isWithin($0) } ?? false } ?? false
        }
        guard let found else {
            throw DBusError(RoundelError(.unknownFolder, tr("“{1}” is in none of the folders of this engine.", text)))
        }
        return [found]
    }

    private static func reply(_ call: MethodCall, _ maps: [VariantMap]) {
        call.reply { writer in
            try writer.append(value: .maps(maps))
            try writer.append(map: [:])
        }
    }
}
