package import SyncCore

/// What failures of rclone, and of what is behind it, mean for a folder, and what is to be said of them.
package struct RcloneTrouble: Sendable {
    /// Stands with the address where it is rclone that is missing.
    package static let noProgram = "rclone"
    /// Stands with the address where no remote has the name.
    package static let notConfigured = "name"
    /// Stands with the address where rclone does not start.
    package static let notStarted = "start"

    private let address: String

    /// What failures mean of a place.
    package init(_ location: RcloneLocation) { address = location.text }

    /// What a failure means for an item.
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

    /// What is to be said of it.
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
