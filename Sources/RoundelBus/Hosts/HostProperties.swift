internal import DBus

/// A property of the Host interface, by its name on the bus.
public enum HostProperty: String, CaseIterable, Sendable {
    /// The version of the interface.
    case version = "Version"
    /// The registered folders.
    case folders = "Folders"
    /// The badges with their labels and icons.
    case badges = "Badges"
    /// Where the icons are.
    case iconThemePath = "IconThemePath"
    /// The toolbar button.
    case toolbarItem = "ToolbarItem"
    /// The state of each registered folder.
    case folderStatus = "FolderStatus"
    /// How folders are watched.
    case watchStatus = "WatchStatus"
}

/// The values of the properties of the Host interface. One that is absent or has another type counts as empty.
public struct HostProperties: Equatable, Sendable {
    /// How folders are watched.
    public struct Watching: Equatable, Sendable {
        /// The directories that are watched; nil where it is not known.
        public var used: UInt32?
        /// The most directories that can be watched; nil where it is not known.
        public var limit: UInt32?
        /// Folders that are rescanned, because they cannot be watched.
        public var unreliable: [ItemURI] = []

        /// Nothing is known.
        public init() {}
    }

    /// The version of the interface; nil where the service does not say it.
    public var version: UInt32?
    /// The registered folders. An item that is in none of them, is none, and is not the parent of one has no badge.
    public var folders: [ItemURI] = []
    /// Every badge with its label and the name of its icon, ordered by identifier.
    public var badges: [BadgeImage] = []
    /// A directory that holds the icons in the layout of an icon theme; "" where every theme finds them.
    public var iconThemePath = ""
    /// The toolbar button.
    public var toolbarItem: ToolbarItem?
    /// The state of each registered folder.
    public var folderStatus: [ItemURI: FolderStatus] = [:]
    /// How folders are watched.
    public var watching = Watching()

    /// Nothing is known.
    public init() {}

    /// Reads the properties of GetAll or PropertiesChanged.
    init(_ map: VariantMap) {
        for (name, value) in map {
            if let property = HostProperty(rawValue: name) { set(property, value) }
        }
    }

    private mutating func set(_ property: HostProperty, _ value: DBusValue) {
        switch property {
        case .version: version = value.uint32
        case .folders: folders = HostProperties.uris(value.strings)
        case .badges: badges = HostProperties.badges(value)
        case .iconThemePath: iconThemePath = value.string ?? ""
        case .toolbarItem: toolbarItem = ToolbarItem(wire: value)
        case .folderStatus: folderStatus = HostProperties.status(value)
        case .watchStatus:
            let map = value.map ?? [:]
            watching.used = map.uint32("watches-used")
            watching.limit = map.uint32("watches-limit")
            watching.unreliable = HostProperties.uris(map.strings("unreliable"))
        }
    }

    private static func uris(_ texts: [String]?) -> [ItemURI] { (texts ?? []).compactMap { try? ItemURI($0) } }

    /// Reads `a{s(ss)}`: identifier, label and icon.
    private static func badges(_ value: DBusValue) -> [BadgeImage] {
        guard case .dictionary(_, _, let entries) = value else { return [] }
        return entries.compactMap { entry in
            guard let badge = entry.key.string, case .structure(let image) = entry.value, image.count == 2,
                let label = image[0].string, let icon = image[1].string
            else { return nil }
            return BadgeImage(badge: Badge(badge), label: label, icon: icon)
        }.sorted { $0.badge.identifier < $1.badge.identifier }
    }

    /// Reads `a{s(usy)}`: folder, state, text and progress.
    private static func status(_ value: DBusValue) -> [ItemURI: FolderStatus] {
        guard case .dictionary(_, _, let entries) = value else { return [:] }
        var status: [ItemURI: FolderStatus] = [:]
        for entry in entries {
            guard let folder = entry.key.string.flatMap({ try? ItemURI($0) }) else { continue }
            status[folder] = FolderStatus(wire: entry.value)
        }
        return status
    }
}

/// Some properties of the Host interface have changed.
public struct HostPropertyChanges: Equatable, Sendable {
    /// Which.
    public let names: Set<HostProperty>
    /// Those whose value came with the signal. The others have to be read.
    public let known: Set<HostProperty>
    /// The values of those in ``known``; all else in it is empty.
    public let values: HostProperties

    /// Reads the arguments of PropertiesChanged behind the name of the interface.
    init(changed: VariantMap, invalidated: [String]) {
        known = Set(changed.keys.compactMap(HostProperty.init))
        names = known.union(invalidated.compactMap(HostProperty.init))
        values = HostProperties(changed)
    }
}
