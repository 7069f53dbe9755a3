internal import Remotes
package import SyncCore

/// Converts a server's failures to those of a folder, with their messages.
package struct ServerTrouble: Sendable {
    private let address: String

    /// Converts failures of the server of a location.
    package init(_ location: ServerLocation) {
        address = location.address(of: .root, isDirectory: true)
    }

    /// Converts a failure for an item.
    ///
    /// - Parameter isNew: Whether the request was to place something at an unused path.
    func failure(_ failure: DAVFailure, at path: RelativePath, whereNothingWas isNew: Bool) -> EffectFailure {
        EffectFailure(reason(failure, at: path, isNew), explanation(failure, at: path, isNew))
    }

    private func reason(_ failure: DAVFailure, at path: RelativePath, _ isNew: Bool) -> EffectFailure.Reason {
        switch failure.reason {
        // Only this place may be unavailable, if it is on a separate storage behind the server.
        case .throttled(nil) where failure.status == 503 && !path.isRoot: .putOff
        case .unreachable, .silent, .cancelled, .untrusted, .movedElsewhere, .loginNeeded, .loginRefused,
            .loginUnreadable,
            .throttled:
            .unreachable
        case .denied: .denied
        case .notAllowed: isNew ? .exists : .denied
        // The directory that should contain it is gone.
        case .notFound, .conflict: .notFound
        case .conditionFailed: isNew ? .exists : .changed
        case .notEmpty: .notEmpty
        case .locked: .putOff
        case .noSpace: .noSpace
        case .tooLarge: .io
        case .refused where Self.isOfName(failure, isNew): .nameClash
        // A proxy gets no response from the server now.
        case .refused where failure.status == 502 || failure.status == 504: .putOff
        case .malformed, .refused: .io
        }
    }

    /// Whether the server rejects the name: there is nothing else to reject about a new item.
    private static func isOfName(_ failure: DAVFailure, _ isNew: Bool) -> Bool { isNew && failure.status == 400 }

    /// The message about a server that is not reached, with the proxy that was to lead to it.
    private static func unreachable(_ failure: DAVFailure, _ address: String) -> Explanation {
        guard let proxy = failure.proxy else { return Explanation(ServerCode.unreachable, .remote, address) }
        return Explanation(failure.proxyTrouble ?? .unreachableThrough, .remote, address, proxy)
    }

    /// The message about the failure.
    package func explanation(_ failure: DAVFailure, at path: RelativePath, _ isNew: Bool = false) -> Explanation {
        let item = path.isRoot ? address : "\(path)"
        return switch failure.reason {
        case .unreachable, .silent, .cancelled: Self.unreachable(failure, address)
        case .untrusted: Explanation(ServerCode.untrusted, .remote, address)
        case .movedElsewhere: Explanation(ServerCode.moved, .remote, address)
        case .loginNeeded: Explanation(ServerCode.login, .remote, address)
        case .loginRefused: Explanation(ServerCode.loginRefused, .remote, address)
        case .loginUnreadable: Explanation(ServerCode.loginUnreadable, .remote, address)
        case .throttled(let seconds): Explanation(.busy, .remote, [address] + (seconds.map { ["\($0)"] } ?? []))
        case .notFound where path.isRoot: Explanation(ServerCode.missing, .remote, address)
        case .denied: Explanation(.denied, .remote, item)
        case .notAllowed: Explanation(isNew ? .taken : .denied, .remote, item)
        case .notFound, .conflict: Explanation(.gone, .remote, item)
        case .conditionFailed: Explanation(isNew ? .taken : .changed, .remote, item)
        case .notEmpty: Explanation(.notEmpty, .remote, item)
        case .locked: Explanation(ServerCode.locked, .remote, item)
        case .noSpace: Explanation(.noSpace, .remote, item)
        case .tooLarge: Explanation(ServerCode.tooLarge, .remote, item)
        case .refused where Self.isOfName(failure, isNew): Explanation(.unusableName, .remote, item)
        case .refused where failure.status == 502 || failure.status == 504:
            Explanation(ServerCode.noAnswer, .remote, item)
        case .malformed, .refused: Explanation(ServerCode.trouble, .remote, item, "\(failure.status ?? 0)")
        }
    }
}
