internal import RoundelBus

/// A question to a provider that has not been answered.
struct PendingRequest {
    enum Purpose {
        /// The badges of items of a directory.
        case badges(DirectoryID, [Int32])
        /// Everything in a directory, from a name on.
        case directory(DirectoryID, after: ItemName?)
        /// A part of a menu.
        case menu(MenuBuildID)
        /// The attributes of an item, for a call.
        case attributes(CallToken, keys: [String])
        /// An action that somebody chose.
        case activation(Activation)
        /// Changes below a folder.
        case changes
    }

    /// Who chose what.
    struct Activation {
        let client: String
        /// 0 for the action of a notice.
        let menu: UInt64
        /// As the client names it.
        let item: String
        let label: String
        /// The client itself shows the person the result.
        let showsResult: Bool
    }

    let provider: ProviderID
    /// The host that wants to know; "" for none in particular.
    let asker: String
    let purpose: Purpose
}

/// The questions that are outstanding.
struct PendingAnswers {
    private var requests: [RequestToken: PendingRequest] = [:]
    private var last: UInt64 = 0

    var count: Int { requests.count }

    /// A token for a question. Its low half is never 0, which items use for "no question".
    mutating func makeToken() -> RequestToken {
        last += 1
        if UInt32(truncatingIfNeeded: last) == 0 { last += 1 }
        return RequestToken(last)
    }

    mutating func add(_ token: RequestToken, _ request: PendingRequest) {
        requests[token] = request
    }

    /// How many actions have not finished, of a caller and of a provider.
    func activations(of client: String, at provider: ProviderID) -> (ofCaller: Int, ofProvider: Int) {
        requests.values.reduce(into: (0, 0)) { counts, request in
            guard case .activation(let activation) = request.purpose else { return }
            if activation.client == client { counts.0 += 1 }
            if request.provider == provider { counts.1 += 1 }
        }
    }

    func contains(_ token: RequestToken) -> Bool { requests[token] != nil }

    func asker(of token: RequestToken) -> String { requests[token]?.asker ?? "" }

    @discardableResult
    mutating func remove(_ token: RequestToken) -> PendingRequest? {
        requests.removeValue(forKey: token)
    }

    /// Everything that was asked of one provider, oldest first; it will not be answered.
    mutating func removeAll(of provider: ProviderID) -> [(RequestToken, PendingRequest)] {
        let open = requests.filter { $0.value.provider == provider }.sorted { $0.key < $1.key }
        for (token, _) in open {
            requests[token] = nil
        }
        return open.map { ($0.key, $0.value) }
    }
}

extension RequestToken {
    /// What items keep of the token of a question.
    var mark: UInt32 { UInt32(truncatingIfNeeded: rawValue) }
}
