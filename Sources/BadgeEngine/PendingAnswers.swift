internal import RoundelBus

/// A question to a provider that was not answered yet.
struct PendingRequest {
    enum Purpose {
        /// The badges of items of a directory.
        case badges(DirectoryID, [Int32])
        /// All items of a directory after a name.
        case directory(DirectoryID, after: ItemName?)
        /// A part of a menu.
        case menu(MenuBuildID)
        /// The attributes of an item, for a call.
        case attributes(CallToken, keys: [String])
        /// An action that a user chose.
        case activation(Activation)
        /// Changes below a folder.
        case changes
    }

    /// The action that was chosen, and by which client.
    struct Activation {
        let client: String
        /// 0 for the action of a notice.
        let menu: UInt64
        /// The id that the client uses.
        let item: String
        let label: String
        /// Whether the client itself shows the user the result.
        let showsResult: Bool
    }

    let provider: ProviderID
    /// The host on whose behalf it is asked; "" for none in particular.
    let asker: String
    let purpose: Purpose
}

/// The open questions.
struct PendingAnswers {
    private var requests: [RequestToken: PendingRequest] = [:]
    private var last: UInt64 = 0

    var count: Int { requests.count }

    /// Creates a token for a question. Its low half is never 0, which items use for "no question".
    mutating func makeToken() -> RequestToken {
        last += 1
        if UInt32(truncatingIfNeeded: last) == 0 { last += 1 }
        return RequestToken(last)
    }

    mutating func add(_ token: RequestToken, _ request: PendingRequest) {
        requests[token] = request
    }

    /// The number of unfinished actions of a caller and of a provider.
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

    /// Removes all questions to a provider, which will not be answered; returns them, oldest first.
    mutating func removeAll(of provider: ProviderID) -> [(RequestToken, PendingRequest)] {
        let open = requests.filter { $0.value.provider == provider }.sorted { $0.key < $1.key }
        for (token, _) in open {
            requests[token] = nil
        }
        return open.map { ($0.key, $0.value) }
    }
}

extension RequestToken {
    /// The part of a question's token that items store.
    var mark: UInt32 { UInt32(truncatingIfNeeded: rawValue) }
}
