internal import DBus
internal import Remotes
internal import RoundelBus
internal import Support
internal import SyncCore
internal import SystemPackage

/// Looks for what folders can sync with (Find, ListDirectories).
struct RemoteSearch {
    let kinds: RemoteKinds
    let places: WorkerPlaces
    let blocking: BlockingWork

    /// The most directories that one call returns.
    private static let mostDirectories: UInt32 = 10_000

    /// Carries out Find.
    func find(_ typed: String, _ call: MethodCall) throws(WorkerError) {
        let address = TypedAddress(typed, home: places.home.string)
        let isBegun = blocking.ask { [kinds] in
            await kinds.find(address)
        } answer: { result in
            switch result {
            case .success(let found):
                call.reply { writer in
                    try writer.append(map: SyncRemote(found).map)
                    try writer.appendNoExtras()
                }
            case .failure(let refusal): call.fail(WorkerError(refusal).busError)
            }
        }
        guard isBegun else { throw .tooMuchWaits }
    }

    /// Carries out ListDirectories.
    func list(_ remote: String, _ typed: String, limit: UInt32?, _ call: MethodCall) throws(WorkerError) {
        let place = try kinds.place(remote)
        guard let path = RelativePath(typed: typed) else {
            throw WorkerError(
                .invalidRemote, tr("“{1}” is not the path of a directory on the remote.", String(typed.prefix(100))))
        }
        let most = Int(min(limit ?? 1_000, Self.mostDirectories))
        let isBegun = blocking.ask { () -> Result<FoundDirectories, RemoteRefusal> in
            do throws(RemoteRefusal) {
                return .success(try await place.directories(in: path, most: most))
            } catch {
                return .failure(error)
            }
        } answer: { result in
            switch result {
            case .success(let found):
                let directories = found.directories.compactMap { SyncRemoteDirectory($0, in: path) }
                call.reply { writer in
                    try writer.append(value: .maps(directories.map(\.map)))
                    try writer.append(map: found.hasMore ? ["more": .bool(true)] : [:])
                }
            case .failure(let refusal): call.fail(WorkerError(refusal).busError)
            }
        }
        guard isBegun else { throw .tooMuchWaits }
    }
}

extension SyncRemote {
    fileprivate init(_ found: FoundRemote) {
        self.init(kind: WireWord(text: found.kind.rawValue), remote: found.remote)
        (name, login, path) = (found.name, WireWord(text: found.login.rawValue), found.path)
        (isProvisional, server, user) = (found.isProvisional, found.server, found.user)
    }
}

extension SyncRemoteDirectory {
    /// Nil for a name that is not UTF-8.
    fileprivate init?(_ found: FoundDirectories.Directory, in directory: RelativePath) {
        guard let name = String(validating: found.name.bytes, as: UTF8.self) else { return nil }
        self.init(
            name: name, path: directory.appending(found.name).description, size: found.size.map { UInt64($0) },
            hasChildren: found.hasDirectories)
    }
}
