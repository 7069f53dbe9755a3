/// The identifier of a badge. The empty one removes the badge; those in ``common`` are for all providers; any other
/// belongs to one provider and is written `<provider-id>.<NAME>`.
public struct Badge: Hashable, Sendable {
    /// The identifier on the bus.
    public let identifier: String

    /// Creates any badge; `isAllowed(for:)` decides whether a provider may use it.
    public init(_ identifier: String) {
        self.identifier = identifier
    }

    /// No badge.
    public static let none = Badge("")
    /// Equal on this computer and on the remote.
    public static let synced = Badge("synced")
    /// Changed and not yet synced.
    public static let pending = Badge("pending")
    /// Being synced now.
    public static let syncing = Badge("syncing")
    /// Would be synced, but syncing is paused.
    public static let paused = Badge("paused")
    /// Cannot be synced.
    public static let error = Badge("error")
    /// Changed on both sides; needs a decision.
    public static let conflict = Badge("conflict")
    /// Deliberately excluded from syncing.
    public static let excluded = Badge("excluded")
    /// Only on the remote.
    public static let onlineOnly = Badge("online-only")

    /// The badges that every provider may use, in the order of the interface.
    public static let common: [Badge] = CommonBadge.allCases.map(\.badge)

    /// The maximum length of an identifier in bytes.
    package static let identifierLimit = 256

    /// Whether the provider may use the badge: it is empty, a common one, or its own.
    package func isAllowed(for provider: ProviderID) -> Bool {
        identifier.isEmpty || Badge.common.contains(self) || belongs(to: provider)
    }

    /// Whether the badge is the provider's own.
    package func belongs(to provider: ProviderID) -> Bool {
        let prefix = provider.rawValue.utf8
        let own = identifier.utf8
        guard own.count > prefix.count + 1, own.count <= Badge.identifierLimit, own.starts(with: prefix) else {
            return false
        }
        return own[own.index(own.startIndex, offsetBy: prefix.count)] == UInt8(ascii: ".")
    }
}

extension Badge: ExpressibleByStringLiteral {
    /// Creates any badge.
    public init(stringLiteral identifier: String) { self.init(identifier) }
}

extension Badge: CustomStringConvertible {
    /// The identifier.
    public var description: String { identifier }
}

/// Further facts about an item, as the bits of the interface's flags.
public struct BadgeFlags: OptionSet, Hashable, Sendable {
    /// The bits on the bus; unknown ones are kept.
    public let rawValue: UInt32

    /// Creates flags from any bits.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Always kept on this machine.
    public static let pinned = BadgeFlags(rawValue: 1)
    /// Only on the remote.
    public static let onlineOnly = BadgeFlags(rawValue: 2)
    /// Shared with others.
    public static let shared = BadgeFlags(rawValue: 4)
    /// Cannot be changed.
    public static let readOnly = BadgeFlags(rawValue: 8)
    /// Locked by someone.
    public static let locked = BadgeFlags(rawValue: 16)

    /// The name of each flag, in the order of their bits.
    public static let named: [(flag: BadgeFlags, name: String)] = [
        (.pinned, "pinned"), (.onlineOnly, "online-only"), (.shared, "shared"), (.readOnly, "read-only"),
        (.locked, "locked"),
    ]

    /// The names of these flags, in the order of their bits.
    public var names: [String] { BadgeFlags.named.filter { contains($0.flag) }.map(\.name) }
}

/// The progress of an item: 0 to 100 percent, or ``none``.
public enum Progress {
    /// No operation is running.
    public static let none: UInt8 = 255

    /// Whether the byte is a percentage or ``none``.
    public static func isValid(_ value: UInt8) -> Bool {
        value <= 100 || value == none
    }
}
