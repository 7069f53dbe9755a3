internal import Remotes
internal import SyncCore
internal import SyncEngine

/// A directory of a remote configured in rclone, as the place of a folder's remote.
struct RclonePlace: RemotePlace {
    private let location: RcloneLocation
    private let shared: SharedRclone

    init(_ location: RcloneLocation, _ shared: SharedRclone) { (self.location, self.shared) = (location, shared) }

    var text: String { location.text }
    var name: String { location.text }

    func overlaps(_ other: RclonePlace) -> Bool { location.overlaps(other.location) }

    /// Asks rclone and the service behind it. Finds nothing out that is stored: rclone knows what its backends can do.
    func tryOut() async throws(RemoteRefusal) -> RemoteFindings {
        do throws(RcloneFailure) {
            try await RcloneCheck.run(RcloneClient(location, shared.service))
            return RemoteFindings()
        } catch {
            throw await refusal(error)
        }
    }

    func makeMissing() async throws(RemoteRefusal) {
        do throws(RcloneFailure) {
            try await RcloneClient(location, shared.service).makeDirectory(.root)
        } catch {
            throw await refusal(error)
        }
    }

    func directories(in path: RelativePath, most: Int) async throws(RemoteRefusal) -> FoundDirectories {
        do throws(RcloneFailure) {
            return try await RcloneClient(location, shared.service).directories(in: path, most: most)
        } catch {
            throw await refusal(error)
        }
    }

    func open(for use: RemoteUse) -> RemoteConnection {
        RemoteConnection(RcloneRemote(RcloneClient(location, shared.service, pace: use.pace), owner: use.owner))
    }

    private func refusal(_ error: RcloneFailure) async -> RemoteRefusal {
        let message = RcloneTrouble(location).explanation(error, at: .root)
        switch error.reason {
        case .noProgram: return RemoteRefusal(.unsupported, message)
        case .loginNeeded: return RemoteRefusal(.loginNeeded, message)
        case .notConfigured: return RemoteRefusal(.invalid, message, advice: await shared.advice())
        case .denied: return RemoteRefusal(.invalid, Explanation(RcloneCode.readOnly, .remote, location.text))
        case .refused where error.status == nil:
            return RemoteRefusal(.invalid, Explanation(RcloneCode.noBucket, .remote, location.text))
        case .refused, .malformed:
            return RemoteRefusal(.failed, Explanation(RcloneCode.unclear, .remote, location.text))
        case .notFound: return RemoteRefusal(.missing, message)
        case .notDirectory, .untrusted: return RemoteRefusal(.invalid, message)
        case .notStarted, .ended, .silent, .cancelled, .unreachable, .busy, .notEmpty, .noSpace, .changed, .taken,
            .nameClash:
            return RemoteRefusal(.failed, message)
        }
    }
}
