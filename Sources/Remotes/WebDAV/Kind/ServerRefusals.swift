package import Remotes
internal import SyncCore

/// Why a place at a server is refused.
extension ServerPlace {
    /// Why a folder cannot be synced with it, or a login cannot start or failed.
    package func refusal(_ error: DAVFailure) -> RemoteRefusal {
        switch error.reason {
        case .loginNeeded: RemoteRefusal(.loginNeeded, Explanation(ServerCode.login, .remote, name))
        case .loginRefused: RemoteRefusal(.loginNeeded, Explanation(ServerCode.passwordRefused, .remote, name))
        case .loginUnreadable: refusal(.loginNeeded, error)
        case .denied, .notAllowed: RemoteRefusal(.invalid, Explanation(ServerCode.readOnly, .remote, name))
        // Whoever does not know a method at all says 501.
        case .refused where error.status.map { $0 >= 500 && $0 != 501 } ?? false:
            RemoteRefusal(.failed, Explanation(ServerCode.failing, .remote, name, "\(error.status ?? 0)"))
        case .malformed, .refused: RemoteRefusal(.invalid, Explanation(ServerCode.noWebDAV, .remote, name))
        case .notFound, .conflict: refusal(.missing, error)
        case .untrusted: refusal(.untrusted, error)
        case .movedElsewhere: refusal(.invalid, error)
        case .unreachable, .silent: RemoteRefusal(.failed, error.unreached(name))
        case .cancelled, .conditionFailed, .notEmpty, .locked, .noSpace, .tooLarge, .throttled:
            refusal(.failed, error)
        }
    }

    /// Why a saved login cannot be used: `loginNeeded` if the server refuses it, and `failed` if it could not be tried.
    package func loginRefusal(_ error: DAVFailure) -> RemoteRefusal {
        switch error.reason {
        case .loginRefused: refusal(error)
        case .refused where error.status.map { $0 >= 500 } ?? false:
            RemoteRefusal(.failed, Explanation(ServerCode.failingNow, .remote, name, "\(error.status ?? 0)"))
        case .unreachable, .silent, .cancelled, .untrusted, .movedElsewhere, .loginNeeded, .loginUnreadable, .denied,
            .notFound, .notAllowed, .conflict, .conditionFailed, .notEmpty, .locked, .noSpace, .tooLarge, .throttled,
            .malformed, .refused:
            RemoteRefusal(.failed, refusal(error).message)
        }
    }

    /// A refusal with the message that a folder's status would show.
    private func refusal(_ reason: RemoteRefusal.Reason, _ error: DAVFailure) -> RemoteRefusal {
        RemoteRefusal(reason, ServerTrouble(location).explanation(error, at: .root))
    }
}

extension DAVFailure {
    /// The message that a server cannot be reached, with the proxy that was to lead to it.
    func unreached(_ address: String) -> Explanation {
        guard let proxy else { return Explanation(ServerCode.notReached, .remote, address) }
        return Explanation(proxyTrouble ?? .notReachedThrough, .remote, address, proxy)
    }
}

extension RemoteRefusal {
    /// Does not contain the address, which may include a password.
    init(_ mistake: AddressMistake) {
        let code: ServerCode =
            switch mistake {
            case .malformed: .noAddress
            case .password: .passwordInAddress
            case .unencrypted: .unencrypted
            }
        self.init(.invalid, Explanation(code))
    }
}
