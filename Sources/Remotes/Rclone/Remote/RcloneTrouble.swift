internal import Remotes
package import SyncCore

/// Converts failures of rclone, and of the service behind it, to those of a folder, with their messages.
package struct RcloneTrouble: Sendable {
    private let address: String

    /// Converts failures at a place.
    package init(_ location: RcloneLocation) { address = location.text }

    /// Converts a failure for an item.
    func failure(_ failure: RcloneFailure, at path: RelativePath) -> EffectFailure {
        EffectFailure(reason(failure), explanation(failure, at: path))
    }

    private func reason(_ failure: RcloneFailure) -> EffectFailure.Reason {
        switch failure.reason {
        case .noProgram, .notStarted, .ended, .silent, .cancelled, .notConfigured, .loginNeeded, .unreachable,
            .untrusted, .busy:
            .unreachable
        case .denied: .denied
        case .notFound: .notFound
        case .notDirectory, .changed: .changed
        case .taken: .exists
        case .notEmpty: .notEmpty
        case .noSpace: .noSpace
        case .nameClash: .nameClash
        case .malformed, .refused: .io
        }
    }

    /// The message about the failure.
    package func explanation(_ failure: RcloneFailure, at path: RelativePath) -> Explanation {
        let item = "\(path)"
        return switch failure.reason {
        case .noProgram: Explanation(RcloneCode.noProgram, .remote, address)
        case .notStarted: Explanation(RcloneCode.notStarted, .remote, address)
        case .notConfigured: Explanation(RcloneCode.notConfigured, .remote, address)
        case .ended, .silent, .cancelled, .unreachable: Explanation(RcloneCode.unreachable, .remote, address)
        case .loginNeeded: Explanation(RcloneCode.login, .remote, address)
        case .untrusted: Explanation(RcloneCode.untrusted, .remote, address)
        case .busy: Explanation(.busy, .remote, address)
        case .notFound where path.isRoot, .notDirectory where path.isRoot:
            Explanation(RcloneCode.missing, .remote, address)
        case .notFound: Explanation(.gone, .remote, item)
        case .denied: Explanation(.denied, .remote, item)
        case .notDirectory, .changed: Explanation(.changed, .remote, item)
        case .taken: Explanation(.taken, .remote, item)
        case .notEmpty: Explanation(.notEmpty, .remote, item)
        case .noSpace: Explanation(.noSpace, .remote, item)
        case .nameClash: Explanation(.nameClash, .remote, item)
        case .malformed, .refused: Explanation(RcloneCode.trouble, .remote, item, "\(failure.status ?? 0)")
        }
    }
}
