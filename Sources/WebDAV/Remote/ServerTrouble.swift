package import SyncCore

/// What failures of a server mean for a folder, and what is to be said of them.
package struct ServerTrouble: Sendable {
    private let address: String

    /// What failures of the server of a location mean.
    package init(_ location: ServerLocation) {
        address = location.address(of: .root, isDirectory: true)
    }

    /// What a failure means for an item.
    ///
    /// - Parameter isNew: Whether something was to be put where nothing is.
    func failure(_ failure: DAVFailure, at path: RelativePath, whereNothingWas isNew: Bool) -> EffectFailure {
        EffectFailure(reason(failure, at: path, isNew), explanation(failure, at: path, isNew))
    }

    private func reason(_ failure: DAVFailure, at path: RelativePath, _ isNew: Bool) -> EffectFailure.Reason {
        switch failure.reason {
        // One place alone may be out of reach, where another storage stands behind it.
        case .throttled(nil) where failure.status == 503 && !path.isRoot: .busy
        case .unreachable, .silent, .cancelled, .untrusted, .movedElsewhere, .loginNeeded, .loginUnreadable, .throttled:
            .unreachable
        case .denied: .denied
        case .notAllowed: isNew ? .exists : .denied
        // The directory is gone that was to hold it.
        case .notFound, .conflict: .notFound
        case .conditionFailed: isNew ? .exists : .changed
        case .notEmpty: .notEmpty
        case .locked: .busy
        case .noSpace: .noSpace
        case .refused where Self.isOfName(failure, isNew): .nameClash
        // What stands before the server does not get an answer from it now.
        case .refused where failure.status == 502 || failure.status == 504: .busy
        case .malformed, .refused: .io
        }
    }

    /// Whether it is the name that a server does not take: it has nothing else to hold against something new.
    private static func isOfName(_ failure: DAVFailure, _ isNew: Bool) -> Bool { isNew && failure.status == 400 }

    /// What is to be said of it.
    package func explanation(_ failure: DAVFailure, at path: RelativePath, _ isNew: Bool = false) -> Explanation {
        let item = "\(path)"
        return switch failure.reason {
        case .unreachable, .silent, .cancelled: Explanation(.serverUnreachable, .remote, address)
        case .untrusted: Explanation(.serverUntrusted, .remote, address)
        case .movedElsewhere: Explanation(.serverMoved, .remote, address)
        case .loginNeeded: Explanation(.serverLogin, .remote, address)
        case .loginUnreadable: Explanation(.serverLoginUnreadable, .remote, address)
        case .throttled: Explanation(.serverBusy, .remote, address)
        case .notFound where path.isRoot: Explanation(.collectionMissing, .remote, address)
        case .denied: Explanation(.denied, .remote, item)
        case .notAllowed: Explanation(isNew ? .taken : .denied, .remote, item)
        case .notFound, .conflict: Explanation(.gone, .remote, item)
        case .conditionFailed: Explanation(isNew ? .taken : .changed, .remote, item)
        case .notEmpty: Explanation(.notEmpty, .remote, item)
        case .locked: Explanation(.locked, .remote, item)
        case .noSpace: Explanation(.noSpace, .remote, item)
        case .refused where Self.isOfName(failure, isNew): Explanation(.unusableName, .remote, item)
        case .malformed, .refused: Explanation(.serverTrouble, .remote, item, "\(failure.status ?? 0)")
        }
    }
}
