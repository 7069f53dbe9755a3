package import DBus

extension MenuItem {
    /// Reads one item of a menu; unknown keys are ignored.
    /// - Parameter depth: the level of the item, 1 for those of the menu itself.
    /// - Throws: `InvalidArgs` for a known key of the wrong type, and for more levels than ``Limits/menuDepth``.
    package init(wire map: VariantMap, depth: Int = 1) throws(DBusError) {
        guard depth <= Limits.menuDepth else { throw .invalidArgs("The menu is nested too deep.") }
        self.init(
            id: try Self.value("id", in: map, \.string) ?? "",
            label: try Self.value("label", in: map, \.string) ?? "",
            icon: try Self.value("icon", in: map, \.string) ?? "",
            enabled: try Self.value("enabled", in: map, \.bool) ?? true,
            checked: try Self.value("checked", in: map, \.bool),
            isSeparator: try Self.value("type", in: map, \.string) == "separator")
        for child in try Self.value("children", in: map, \.maps) ?? [] {
            children.append(try MenuItem(wire: child, depth: depth + 1))
        }
        if let rules = try Self.value("rules", in: map, \.map) { self.rules = try MenuRules(wire: rules) }
    }

    /// The item for the bus; keys with their default values are left out.
    package var wire: VariantMap {
        var map: VariantMap = ["id": .string(id)]
        if isSeparator { map["type"] = .string("separator") }
        if !label.isEmpty { map["label"] = .string(label) }
        if !icon.isEmpty { map["icon"] = .string(icon) }
        if !enabled { map["enabled"] = .bool(false) }
        if let checked { map["checked"] = .bool(checked) }
        if !children.isEmpty { map["children"] = .maps(children.map(\.wire)) }
        if let rules { map["rules"] = .map(rules.wire) }
        return map
    }

    fileprivate static func value<T>(
        _ key: String, in map: VariantMap, _ read: (DBusValue) -> T?
    ) throws(DBusError) -> T? {
        guard let value = map[key] else { return nil }
        guard let result = read(value) else { throw .invalidArgs("The menu's key “\(key)” has another type.") }
        return result
    }
}

extension HostedMenu {
    private static let incompleteKey = "incomplete"

    /// Reads the values of a reply of GetMenu, or of the signal MenuChanged, with their extras.
    package init(reading reader: inout MessageReader) throws {
        let id = try reader.readUInt64()
        let items = try reader.readArray { try MenuItem(wire: try $0.readVariantMap()) }
        self.init(id: id, items: items, incomplete: try reader.readVariantMap().strings(Self.incompleteKey) ?? [])
    }

    /// Appends them.
    package func append(to writer: inout MessageWriter) throws {
        try writer.append(id)
        try writer.append(value: .maps(items.map(\.wire)))
        try writer.append(map: incomplete.isEmpty ? [:] : [Self.incompleteKey: .strings(incomplete)])
    }
}

extension MenuRules {
    /// Reads rules; unknown keys are ignored.
    /// - Throws: `InvalidArgs` for a known key of the wrong type, and for types of data that are none or too many.
    package init(wire map: VariantMap) throws(DBusError) {
        self.init(
            kinds: try MenuItem.value("kinds", in: map, \.uint32s),
            min: try MenuItem.value("min", in: map, \.uint32),
            max: try MenuItem.value("max", in: map, \.uint32),
            badges: try MenuItem.value("badges", in: map, \.strings)?.map { Badge($0) },
            directories: try MenuItem.value("directories", in: map, \.bool),
            files: try MenuItem.value("files", in: map, \.bool))
        guard let texts = try MenuItem.value("types", in: map, \.strings) else { return }
        guard texts.count <= Limits.typeRules else {
            throw .invalidArgs("The menu's rules name too many types of data.")
        }
        var types: [TypeRule] = []
        for text in texts {
            guard let rule = TypeRule(text) else {
                throw .invalidArgs(
                    "The menu's rules have “\(text.shortened(to: Limits.menuText))” for a type of data and its number.")
            }
            types.append(rule)
        }
        self.types = types
    }

    /// The rules for the bus.
    package var wire: VariantMap {
        var map: VariantMap = [:]
        map["kinds"] = kinds.map { .uint32s($0) }
        map["min"] = min.map { .uint32($0) }
        map["max"] = max.map { .uint32($0) }
        map["badges"] = badges.map { .strings($0.map(\.identifier)) }
        map["directories"] = directories.map { .bool($0) }
        map["files"] = files.map { .bool($0) }
        map["types"] = types.map { .strings($0.map(\.text)) }
        return map
    }

    /// Parses the `Rules` key of a manifest: `kinds=0,1; min=1; max=1; badges=conflict,error; types=image/*:1-10`.
    /// - Returns: Nil if a part is not understood, because incomplete rules would hide or show items wrongly.
    package init?(manifestText text: String) {
        self.init()
        for part in text.split(separator: ";") where !part.allSatisfy(\.isBlank) {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(\.trimmed)
            guard pair.count == 2, read(pair[0], as: pair[1]) else { return nil }
        }
    }

    /// The keys of the rules.
    private enum Key: String { case kinds, min, max, badges, directories, files, types }

    /// Reads one rule of a manifest; false if it is not understood.
    private mutating func read(_ key: String, as value: String) -> Bool {
        let list = value.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
        switch Key(rawValue: key) {
        case .kinds:
            kinds = list.compactMap { UInt32($0) }
            return kinds?.count == list.count
        case .badges:
            badges = list.map { Badge($0) }
            return !list.contains { $0.isEmpty || $0.contains(where: \.isBlank) }
        case .min:
            min = UInt32(value)
            return min != nil
        case .max:
            max = UInt32(value)
            return max != nil
        case .directories:
            directories = Bool(value)
            return directories != nil
        case .files:
            files = Bool(value)
            return files != nil
        case .types:
            types = list.compactMap { TypeRule($0) }
            return types?.count == list.count && list.count <= Limits.typeRules
        case nil: return false
        }
    }
}

extension Character {
    fileprivate var isBlank: Bool { self == " " || self == "\t" }
}

extension Substring {
    /// The text without spaces at its ends.
    fileprivate var trimmed: String {
        let start = drop(while: \.isBlank)
        return String(start[..<(start.lastIndex { !$0.isBlank }.map { start.index(after: $0) } ?? start.startIndex)])
    }
}

extension ActivationOptions {
    /// Reads the options of Activate; unknown keys, wrong types and texts of more than ``Limits/activationText`` bytes
    /// are ignored.
    package init(wire map: VariantMap) {
        func text(_ key: String) -> String? {
            map.string(key).flatMap { $0.utf8.count <= Limits.activationText ? $0 : nil }
        }
        self.init(
            activationToken: text("activation-token"), timestamp: map.uint32("timestamp"),
            parentWindow: text("parent-window"), showsResult: map.bool("shows-result") ?? false)
    }

    /// The options that a host sends to the service.
    var hostWire: VariantMap {
        var map = wire
        if showsResult { map["shows-result"] = .bool(true) }
        return map
    }

    /// The options that a provider gets.
    package var wire: VariantMap {
        var map: VariantMap = [:]
        map["activation-token"] = activationToken.map { .string($0) }
        map["timestamp"] = timestamp.map { .uint32($0) }
        map["parent-window"] = parentWindow.map { .string($0) }
        return map
    }
}
