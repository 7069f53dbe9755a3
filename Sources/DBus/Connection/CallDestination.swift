internal import CDBus

/// Where a call went, and so who may answer it: a reply names only the number of its call, which any connection of the
/// bus can guess.
struct CallDestination {
    /// The name that was called.
    let name: String
    /// The connections that the name meant since the call was sent: one, or for a well-known name each owner in turn.
    private var connections: Set<String> = []

    /// - Parameter owner: who owns a well-known name as far as is known.
    init(_ name: String, owner: String?) {
        self.name = name
        if let owner { connections.insert(owner) }
    }

    /// Takes in that a well-known name has come to another owner.
    mutating func ownerChanged(to owner: String) { connections.insert(owner) }

    /// Whether a reply comes from where the call went. The bus itself answers for those who are not there.
    func isAnswered(by reply: Message) -> Bool {
        if reply.isFrom(name) || reply.isFrom(BusDaemon.name) { return true }
        return connections.contains { reply.isFrom($0) }
    }
}

extension Message {
    /// Whether a connection sent the message; the bus vouches for that.
    fileprivate func isFrom(_ sender: String) -> Bool {
        sender.withCString { dbus_message_has_sender(pointer, $0) != 0 }
    }
}

/// The owners of the well-known names that a connection calls, each followed from the first call on.
///
/// The bus announces owners and delivers calls in one order, so whoever answers a call has been told as an owner before
/// the answer arrives.
struct DestinationOwners {
    private var owners: [String: String?] = [:]

    /// Whether the name's owner is followed.
    func follows(_ name: String) -> Bool { owners[name] != nil }

    /// Who owns a name now, as far as it is followed.
    func owner(of name: String) -> String? { owners[name] ?? nil }

    mutating func set(_ name: String, _ owner: String?) { owners[name] = .some(owner) }
}

extension Connection {
    /// Who may answer a call to a name. From the first call on the owner of a well-known name is followed.
    func destination(_ name: String) throws(DBusError) -> CallDestination {
        if NameRules.isUniqueName(name) || name == BusDaemon.name { return CallDestination(name, owner: nil) }
        if !owners.follows(name) {
            owners.set(name, nil)
            _ = try watchName(name) { [weak self] owner in
                guard let self else { return }
                owners.set(name, owner)
                if let owner { calls.ownerChanged(name, to: owner) }
            }
        }
        return CallDestination(name, owner: owners.owner(of: name))
    }
}
