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
        do throws(RcloneLocation.Mistake) {
            return RclonePlace(try RcloneLocation(address), shared)
        } catch {
            let code: RcloneCode =
                switch error {
                case .noName: .noName
                case .badPath: .badPath
                }
            throw RemoteRefusal(.invalid, Explanation(code))
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

    /// Names the configured remotes; nil if rclone does not tell them.
    func advice() async -> Explanation? { (try? await service.remotes()).map { RcloneKind.offer($0) } }
}
