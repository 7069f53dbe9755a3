package import Remotes
package import SyncCore
internal import SyncEngine
internal import Synchronization
internal import SystemPackage

/// Directories of remotes that the user has configured in rclone: `rclone:NAME:PATH`.
package struct RcloneKind: RemoteKind {
    package typealias Code = RcloneCode

    private let shared: SharedRclone

    package init(_ surroundings: RemoteSurroundings) { shared = SharedRclone(surroundings) }

    package var addressForm: String { "rclone:NAME:PATH" }

    package func isMeant(by address: String) -> Bool { address.hasPrefix("rclone:") }

    package func place(_ address: String) throws(RemoteRefusal) -> any RemotePlace {
        RclonePlace(try location(address), shared)
    }

    package func find(_ address: TypedAddress) async throws(RemoteRefusal) -> FoundRemote? {
        switch address {
        case .rclone(let text):
            let location = try location(text)
            guard try await shared.sftpHosts(asked: text)[location.remote] != nil else {
                throw RemoteRefusal(
                    .invalid, Explanation(RcloneCode.notConfigured, .remote, location.text),
                    advice: await shared.advice())
            }
            return Self.found(location)
        case .named(let name, let path):
            let hosts = try await shared.sftpHosts(asked: "rclone:\(name):")
            if hosts[name] != nil { return Self.found(try location("rclone:\(name):\(path)")) }
            return try found(on: SFTPHost(host: name, user: nil), path, hosts)
        case .ssh(let user, let host, let path):
            let hosts = try await shared.sftpHosts(asked: host)
            return try found(on: SFTPHost(host: host, user: user), path, hosts)
        case .directory, .server, .foreign, .withPassword, .unusable: return nil
        }
    }

    /// A directory on a computer to which one of the remotes leads.
    private func found(
        on host: SFTPHost, _ path: String, _ hosts: [String: SFTPHost?]
    ) throws(RemoteRefusal) -> FoundRemote {
        let names = hosts.filter { $0.value.map(host.isMeant(by:)) ?? false }.keys.sorted()
        guard let name = names.first else {
            throw RemoteRefusal(.invalid, Explanation(RcloneCode.noHost, .remote, host.host))
        }
        let rest = path.hasPrefix("~/") ? path.dropFirst(2) : path[...]
        return Self.found(try location("rclone:\(name):\(rest)"))
    }

    private static func found(_ location: RcloneLocation) -> FoundRemote {
        FoundRemote(
            .rclone, location.text, name: location.names.last?.description ?? location.remote,
            path: RelativePath(location.names).description)
    }

    private func location(_ text: String) throws(RemoteRefusal) -> RcloneLocation {
        do throws(RcloneLocation.Mistake) {
            return try RcloneLocation(text)
        } catch {
            switch error {
            case .noName: throw RemoteRefusal(.invalid, Explanation(RcloneCode.noName))
            case .badPath: throw RemoteRefusal(.invalid, Explanation(RcloneCode.badPath))
            }
        }
    }

    package func advice() async -> Explanation? { await shared.advice() }

    /// Names the remotes that the user has configured.
    package static func offer(_ names: [String]) -> Explanation {
        names.isEmpty ? Explanation(RcloneCode.noRemotes) : Explanation(RcloneCode.remotes, .remote, names)
    }
}

/// The one rclone of all folders. It is set up when the first of them needs it, because its connections have threads of
/// their own.
final class SharedRclone: Sendable {
    private let surroundings: RemoteSurroundings
    private let made = Mutex<RcloneService?>(nil)

    init(_ surroundings: RemoteSurroundings) { self.surroundings = surroundings }

    /// Handles the requests to remotes configured in rclone.
    var service: RcloneService {
        made.withLock { made in
            let service =
                made
                ?? RcloneService(
                    spoolingIn: surroundings.directory.appending("rclone"), leaving: surroundings.floor)
            made = service
            return service
        }
    }

    /// The configured remotes by name, each with the computer to which it leads by SFTP.
    ///
    /// - Parameter asked: What was asked for, for the refusal.
    func sftpHosts(asked: String) async throws(RemoteRefusal) -> [String: SFTPHost?] {
        do throws(RcloneFailure) {
            return try await service.sftpHosts()
        } catch {
            let code: RcloneCode = error.reason == .noProgram ? .noProgram : .notStarted
            throw RemoteRefusal(
                error.reason == .noProgram ? .unsupported : .failed, Explanation(code, .remote, asked))
        }
    }

    /// Names the configured remotes; nil if rclone does not tell them.
    func advice() async -> Explanation? { (try? await service.remotes()).map { RcloneKind.offer($0) } }
}
