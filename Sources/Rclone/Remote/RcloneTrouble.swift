package import SyncCore

/// Converts failures of rclone, and of the service behind it, to those of a folder, with their messages.
package struct RcloneTrouble: Sendable {
    /// An argument beside the address if rclone is missing.
    package static let noProgram = "rclone"
    /// An argument beside the address if no remote has the name.
    package static let notConfigured = "name"
    /// An argument beside the address if rclone does not start.
    package static let notStarted = "start"

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
        case .noProgram: Explanation(.collectionMissing, .remote, address, Self.noProgram)
        case .notStarted: Explanation(.collectionMissing, .remote, address, Self.notStarted)
        case .notConfigured: Explanation(.collectionMissing, .remote, address, Self.notConfigured)
        case .ended, .silent, .cancelled, .unreachable: Explanation(.serverUnreachable, .remote, address)
        case .loginNeeded: Explanation(.serverLogin, .remote, address)
        case .untrusted: Explanation(.serverUntrusted, .remote, address)
        case .busy: Explanation(.serverBusy, .remote, address)
        case .notFound where path.isRoot, .notDirectory where path.isRoot:
            Explanation(.collectionMissing, .remote, address)
        case .notFound: Explanation(.gone, .remote, item)
        case .denied: Explanation(.denied, .remote, item)
        case .notDirectory, .changed: Explanation(.changed, .remote, item)
        case .taken: Explanation(.taken, .remote, item)
        case .notEmpty: Explanation(.notEmpty, .remote, item)
        case .noSpace: Explanation(.noSpace, .remote, item)
        case .nameClash: Explanation(.nameClash, .remote, item)
        case .malformed, .refused: Explanation(.serverTrouble, .remote, item, "\(failure.status ?? 0)")
        }
    }
}
