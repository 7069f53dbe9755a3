/// The signals that a subscription receives (D-Bus specification, "Match Rules"). Fields that are nil match everything.
public struct MatchRule: Sendable, Hashable {
    /// The sender: a unique name, or a well-known name, which the sender must own at that time.
    public var sender: String?
    /// The object.
    public var path: ObjectPath?
    /// The object or one below it; not allowed together with `path`.
    public var pathNamespace: ObjectPath?
    /// The interface.
    public var interface: String?
    /// The signal's name.
    public var member: String?
    /// The string arguments by position, 0 to 63.
    public var arguments: [Int: String]
    /// The first argument as a name: this name, or one that continues it after a dot.
    public var argument0Namespace: String?

    /// Creates a rule with these conditions.
    public init(
        sender: String? = nil, path: ObjectPath? = nil, pathNamespace: ObjectPath? = nil, interface: String? = nil,
        member: String? = nil, arguments: [Int: String] = [:], argument0Namespace: String? = nil
    ) {
        self.sender = sender
        self.path = path
        self.pathNamespace = pathNamespace
        self.interface = interface
        self.member = member
        self.arguments = arguments
        self.argument0Namespace = argument0Namespace
    }

    /// The rule as text for the bus.
    ///
    /// - Throws: `MatchRuleInvalid` if a name is malformed or an argument's position is out of range.
    public func text() throws(DBusError) -> String {
        try validate()
        var rule = "type='signal'"
        func add(_ key: String, _ value: String?) {
            guard let value else { return }
            // An apostrophe cannot be escaped within a quoted part, so the quotation is interrupted for it.
            rule +=
                ",\(key)='\(value.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
        }
        add("sender", sender)
        add("path", path?.rawValue)
        add("path_namespace", pathNamespace?.rawValue)
        add("interface", interface)
        add("member", member)
        for (position, value) in arguments.sorted(by: { $0.key < $1.key }) { add("arg\(position)", value) }
        add("arg0namespace", argument0Namespace)
        return rule
    }

    private func validate() throws(DBusError) {
        func require(_ condition: Bool, _ what: String) throws(DBusError) {
            guard condition else { throw DBusError(.matchRuleInvalid, "The match rule's \(what) is not valid.") }
        }
        try require(sender.map(NameRules.isBusName) ?? true, "sender")
        try require(interface.map(NameRules.isInterface) ?? true, "interface")
        try require(member.map(NameRules.isMember) ?? true, "member")
        try require(path == nil || pathNamespace == nil, "path together with a path namespace")
        try require(arguments.keys.allSatisfy((0...63).contains), "argument position")
        try require(arguments.values.allSatisfy { !$0.utf8.contains(0) }, "argument")
        try require(argument0Namespace.map(isNamespace) ?? true, "namespace of the first argument")
    }

    private func isNamespace(_ name: String) -> Bool {
        NameRules.isBusName(name) || NameRules.isBusName("x." + name)
    }

    /// Whether the rule, without its sender, matches `signal`.
    func matches(_ signal: SignalHeader, _ message: Message) -> Bool {
        if let member, member != signal.member { return false }
        if let interface, interface != signal.interface { return false }
        if let path, path.rawValue != signal.path { return false }
        if let pathNamespace, !isBelow(signal.path, pathNamespace.rawValue) { return false }
        return (arguments.isEmpty && argument0Namespace == nil) || matchesArguments(message)
    }

    private func isBelow(_ path: String, _ namespace: String) -> Bool {
        namespace == "/" || path == namespace || path.hasPrefix(namespace + "/")
    }

    private func matchesArguments(_ message: Message) -> Bool {
        var reader = message.reader
        let last = max(arguments.keys.max() ?? 0, 0)
        var matched = 0
        for position in 0...last {
            let text = try? reader.readString()
            if let expected = arguments[position] {
                guard text == expected else { return false }
                matched += 1
            }
            if position == 0, let namespace = argument0Namespace {
                guard let text, text == namespace || text.hasPrefix(namespace + ".") else { return false }
            }
            if text == nil { reader.skip() }
        }
        return matched == arguments.count
    }
}

/// The header of a signal, read once for all subscriptions.
struct SignalHeader {
    let sender: String
    let path: String
    let interface: String
    let member: String

    init?(_ message: Message) {
        guard let path = message.path, let interface = message.interface, let member = message.member else {
            return nil
        }
        self.sender = message.sender ?? ""
        self.path = path.rawValue
        self.interface = interface
        self.member = member
    }
}
