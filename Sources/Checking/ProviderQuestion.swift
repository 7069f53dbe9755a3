package import DBus

/// What a provider is asked.
package enum ProviderQuestion: Sendable {
    /// Where a directory lies.
    package enum Place: Sendable, Equatable {
        case own
        /// The parent of a folder, where only these names are the provider's.
        case parent(of: Set<String>)
        case outside
    }

    case version
    /// A member that no version has.
    case unheard
    case badges(directory: String, names: [String], Place)
    case page(directory: String, after: String, limit: UInt32, Place)
    /// - Parameter isRepeated: Whether the question before was the same.
    case menu(kind: UInt32, isRepeated: Bool)
    case activation(item: String, isOffered: Bool)
    case attributes(uri: String, Place)
    case changes
    case service(interface: String)
    /// The question before with options that no version has.
    case strangeOptions
    /// Arguments that fit no question, as a member and what is wrong with them.
    case hostile(member: String, String)

    /// The member, and what is wrong with its arguments.
    package var description: String {
        if case .hostile(let member, let fault) = self { "\(member) (\(fault))" } else { member }
    }

    /// The member that is called.
    var member: String {
        switch self {
        case .version, .service: "Get"
        case .unheard: "RequestTheWeather"
        case .badges, .strangeOptions: "RequestBadges"
        case .page: "RequestDirectory"
        case .menu: "GetMenu"
        case .activation: "Activate"
        case .attributes: "GetAttributes"
        case .changes: "ItemsChanged"
        case .hostile(let member, _): member
        }
    }
}

/// How a provider answered.
package struct ProviderAnswer: Sendable {
    package enum Content: Sendable {
        case values([DBusValue])
        case error(DBusError)
        /// It did not answer for so long that it was not waited for.
        case silence
    }

    let content: Content
    package let after: Duration

    package init(_ content: Content, after: Duration) {
        self.content = content
        self.after = after
    }

    /// The values of whatever types; nil if there are none.
    package var values: [DBusValue]? {
        if case .values(let values) = content { values } else { nil }
    }

    /// The values; nil if there are others, or none.
    func values(_ signature: String) -> [DBusValue]? {
        guard case .values(let values) = content,
            values.map(\.signature.rawValue).joined() == signature
        else { return nil }
        return values
    }

    /// Whether the member is one that the provider leaves out.
    package var isAbsent: Bool {
        guard case .error(let error) = content else { return false }
        return error.standard == .unknownMethod
    }
}
