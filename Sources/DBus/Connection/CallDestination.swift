internal import CDBus

/// The destination of a call, which determines who may answer it: a reply contains only the number of its call, which
/// any connection of the bus can guess.
struct CallDestination {
    /// The name that was called.
    let name: String
    /// The connections behind the name since the call was sent: one, or for a well-known name each owner in turn.
    private var connections: Set<String> = []

    /// - Parameter owner: The owner of a well-known name, as far as known.
    init(_ name: String, owner: String?) {
        self.name = name
        if let owner { connections.insert(owner) }
    }

    /// Records the new owner of a well-known name.
    mutating func ownerChanged(to owner: String) { connections.insert(owner) }

    /// Whether a reply comes from the destination of the call. The bus itself answers in place of missing connections.
    func isAnswered(by reply: Message) -> Bool {
        if reply.isFrom(name) || reply.isFrom(BusDaemon.name) { return true }
        return connections.contains { reply.isFrom($0) }
    }
}

extension Message {
    /// Whether this connection sent the message; the bus guarantees the sender.
    fileprivate func isFrom(_ sender: String) -> Bool {
        sender.withCString { dbus_message_has_sender(pointer, $0) != 0 }
    }
}

/// The owners of the well-known names that a connection calls, each followed from the first call on.
///
/// The bus announces owners and delivers calls in one order, so the owner that answers a call has been announced before
/// the reply arrives.
struct DestinationOwners {
    private var owners: [String: String?] = [:]

    /// Whether the name's owner is followed.
    func follows(_ name: String) -> Bool { owners[name] != nil }

    /// The current owner of a name, if it is followed.
    func owner(of name: String) -> String? { owners[name] ?? nil }

    mutating func set(_ name: String, _ owner: String?) { owners[name] = .some(owner) }
}

extension Connection {
    /// The destination for a call to a name. The owner of a well-known name is followed from the first call on.
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
