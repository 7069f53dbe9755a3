internal import Support

/// The rules of a provider.
package enum ProviderRule: String, CheckRule {
    case manifest
    case registers
    case busName = "bus-name"
    case services
    case version
    case icons
    case images
    case folders
    case flush
    case ownItems = "own-items"
    case columns
    case badges
    case inTime = "in-time"
    case pages
    case outside
    case answers
    case absent
    case options
    case menu
    case menuIDs = "menu-ids"
    case actions
    case unknownItem = "unknown-item"
    case attributes
    case status
    case changes
    case together
    case quiet
    case stays
    case returns

    package var sentence: String {
        switch self {
        case .manifest: tr("Its manifest is understood.")
        case .registers: tr("It registers with its id, and before it calls anything else.")
        case .busName: tr("It owns the bus name of its manifest before it registers.")
        case .services: tr("The interfaces of engines that it names are there, with a version.")
        case .version: tr("The property Version is 1, if it is there.")
        case .icons: tr("Icons are names of an icon theme.")
        case .images: tr("Images are those of own badges, and have a label.")
        case .folders: tr("Folders are directories, not the root, and none lies within another.")
        case .flush: tr("It calls Flush for a folder that is watched for it.")
        case .ownItems: tr("It reports what is in its folders only, with URIs and names that are valid.")
        case .columns: tr("Columns have a row for each name, and progress is 0 to 100 or 255.")
        case .badges: tr("Badges are common ones, or own ones that have an image.")
        case .inTime: tr("It answers from memory, within 50 ms.")
        case .pages: tr("Pages are in the order of the names' bytes, begin after the given name and keep the limit.")
        case .outside: tr("It says nothing of items outside its folders.")
        case .answers: tr("It answers every call and goes on, whatever the arguments are.")
        case .absent: tr("A member that it leaves out is UnknownMethod.")
        case .options: tr("It ignores options that it does not know.")
        case .menu: tr("Menus have 256 items of three levels, unique ids and texts of 256 characters at most.")
        case .menuIDs: tr("The same menu has the same ids.")
        case .actions: tr("An action ends with a reply, or with an error that has a sentence.")
        case .unknownItem: tr("An item that it did not offer is refused.")
        case .attributes: tr("Attributes have the types of the interface, and come within two seconds.")
        case .status: tr("A status is one of six, and each of its notices has an id and a title.")
        case .changes: tr("It answers when it is told of changes.")
        case .together: tr("What changes together in a directory is reported together.")
        case .quiet: tr("It is idle while nothing changes.")
        case .stays: tr("It stays while the service is away.")
        case .returns: tr("It registers again, with its folders, when the service comes back.")
        }
    }

    package var section: String {
        switch self {
        case .manifest, .registers, .busName: "5.1"
        case .services: "6"
        case .version: "9"
        case .icons, .columns: "3"
        case .images, .badges, .inTime, .together, .quiet: "5.3"
        case .folders, .flush, .changes: "5.2"
        case .ownItems: "7"
        case .pages: "5.3"
        case .outside, .answers: "10"
        case .absent: "5.6"
        case .options: "3"
        case .menu: "8"
        case .menuIDs, .actions, .unknownItem: "5.4"
        case .attributes: "4.4"
        case .status: "5.5"
        case .stays, .returns: "2"
        }
    }

    package var isRequired: Bool {
        switch self {
        case .inTime, .menuIDs, .together, .quiet: false
        case .manifest, .registers, .busName, .services, .version, .icons, .images, .folders, .flush, .ownItems,
            .columns, .badges, .pages, .outside, .answers, .absent, .options, .menu, .actions, .unknownItem,
            .attributes,
            .status, .changes, .stays, .returns:
            true
        }
    }
}
