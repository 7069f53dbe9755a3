internal import Remotes

/// What a server says about shares, in its capabilities. What is missing, or unexpected, allows and demands nothing.
struct SharingCapabilities: Decodable, Sendable {
    /// What it demands about the end of shares.
    private struct End: Decodable, Sendable {
        var enabled: Bool
        /// Also a text.
        var days: Number?
        var enforced: Bool

        private enum Key: CodingKey { case enabled, days, enforced }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: Key.self)
            enabled = (try? values.decode(Bool.self, forKey: .enabled)) ?? false
            days = try? values.decode(Number.self, forKey: .days)
            enforced = (try? values.decode(Bool.self, forKey: .enforced)) ?? false
        }

        var rules: ShareRules.End {
            guard enabled, let days = days.flatMap({ Int64($0.text) }), (0...36_500).contains(days) else {
                return ShareRules.End()
            }
            return ShareRules.End(mostDays: enforced ? days : nil, usualDays: days)
        }
    }

    private struct Links: Decodable, Sendable {
        var enabled = false
        var needsPassword = false
        var end: End?
        var peopleEnd: End?
        var upload = false
        var dropsFiles = false

        private enum Key: String, CodingKey {
            case enabled, password, upload
            case end = "expire_date"
            case peopleEnd = "expire_date_internal"
            case dropsFiles = "upload_files_drop"
        }

        private struct Password: Decodable { var enforced: Bool }

        init() {}

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: Key.self)
            enabled = try values.decode(Bool.self, forKey: .enabled)
            needsPassword = (try? values.decode(Password.self, forKey: .password).enforced) ?? false
            end = try? values.decode(End.self, forKey: .end)
            peopleEnd = try? values.decode(End.self, forKey: .peopleEnd)
            upload = (try? values.decode(Bool.self, forKey: .upload)) ?? false
            dropsFiles = (try? values.decode(Bool.self, forKey: .dropsFiles)) ?? false
        }
    }

    /// The fewest characters of a password; nil if the server does not tell.
    var leastPassword: Int64?
    private let isEnabled: Bool
    private let links: Links
    private let hasGroups: Bool

    private enum Key: String, CodingKey {
        case isEnabled = "api_enabled"
        case links = "public"
        case hasGroups = "group_sharing"
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        isEnabled = try values.decode(Bool.self, forKey: .isEnabled)
        links = (try? values.decode(Links.self, forKey: .links)) ?? Links()
        hasGroups = (try? values.decode(Bool.self, forKey: .hasGroups)) ?? false
    }

    /// Whether the logged-in user may share.
    var givesShares: Bool { isEnabled }

    /// Whether the logged-in user may share by links.
    var givesLinks: Bool { isEnabled && links.enabled }

    /// The rules for an item. Links to files allow to see them: that a server also lets others change a file is not told.
    func rules(isDirectory: Bool) -> ShareRules {
        var rules = ShareRules()
        guard isEnabled else { return rules }
        if links.enabled {
            rules.linkRights = [.view]
            if isDirectory, links.upload { rules.linkRights += links.dropsFiles ? [.edit, .upload] : [.edit] }
        }
        rules.peopleRights = [.view, .edit]
        rules.hasGroups = hasGroups
        rules.needsPassword = links.needsPassword
        rules.leastPassword = leastPassword
        rules.linkEnd = links.end?.rules ?? ShareRules.End()
        rules.peopleEnd = links.peopleEnd?.rules ?? ShareRules.End()
        return rules
    }
}
