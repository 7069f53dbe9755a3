internal import DBus

/// A property of the Host interface, by its name on the bus.
public enum HostProperty: String, CaseIterable, Sendable {
    /// The version of the interface.
    case version = "Version"
    /// The registered folders.
    case folders = "Folders"
    /// The badges with their labels and icons.
    case badges = "Badges"
    /// The directory of the icons.
    case iconThemePath = "IconThemePath"
    /// The toolbar button.
    case toolbarItem = "ToolbarItem"
    /// The state of each registered folder.
    case folderStatus = "FolderStatus"
    /// The state of watching.
    case watchStatus = "WatchStatus"
    /// Whether menus lead to the assistant that adds a folder.
    case addsFolders = "AddsFolders"
}

/// The values of the properties of the Host interface. Missing ones and those of another type count as empty.
public struct HostProperties: Equatable, Sendable {
    /// The state of watching.
    public struct Watching: Equatable, Sendable {
        /// The number of watched directories; nil if unknown.
        public var used: UInt32?
        /// The maximum number of watched directories; nil if unknown.
        public var limit: UInt32?
        /// The folders that are rescanned because they cannot be watched.
        public var unreliable: [ItemURI] = []

        /// Creates an unknown state.
        package init() {}
    }

    /// The version of the interface; nil if the service does not report it.
    public var version: UInt32?
    /// The registered folders. Only items in one of them, the folders themselves and their parents can have badges.
    public var folders: [ItemURI] = []
    /// Every badge with its label and the name of its icon, ordered by identifier.
    public var badges: [BadgeImage] = []
    /// A directory that contains the icons in the layout of an icon theme; "" if they are in every theme.
    public var iconThemePath = ""
    /// The toolbar button.
    public var toolbarItem: ToolbarItem?
    /// The state of each registered folder.
    public var folderStatus: [ItemURI: FolderStatus] = [:]
    /// The state of watching.
    public var watching = Watching()
    /// Whether the menu of one directory that nothing syncs has an entry to sync it. Where it is false, there is no menu
    /// outside ``folders``, and nobody need ask for one.
    public var addsFolders = false

    /// Creates empty properties.
    package init() {}

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
        case .addsFolders: addsFolders = value.bool ?? false
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

/// Changed properties of the Host interface.
public struct HostPropertyChanges: Equatable, Sendable {
    /// The changed properties.
    public let names: Set<HostProperty>
    /// The properties whose values the signal contained. The others have to be read.
    public let known: Set<HostProperty>
    /// The values of the properties in ``known``; the others are empty.
    public let values: HostProperties

    /// Decodes the arguments of PropertiesChanged that follow the name of the interface.
    init(changed: VariantMap, invalidated: [String]) {
        known = Set(changed.keys.compactMap(HostProperty.init))
        names = known.union(invalidated.compactMap(HostProperty.init))
        values = HostProperties(changed)
    }
}
