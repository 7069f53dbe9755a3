package import RoundelBus
internal import Support

extension Refusal {
    /// The error for the bus.
    /// - Parameter place: Formats an item for people, for example `~/Documents`.
    package func error(_ place: (ItemURI) -> String) -> RoundelError {
        if case .badNotices(let error) = self { return error }
        return RoundelError(code, sentence(place))
    }

    /// The catalogue of refusals: a sentence for each case.
    private func sentence(_ place: (ItemURI) -> String) -> String {
        switch self {
        case .notObserving(let item):
            return tr("This program does not observe {1}; call BeginObserving first.", place(item))
        case .tooManyNames:
            return tr("One call can ask for at most {1} names; ask in parts.", "\(Limits.namesPerCall)")
        case .tooManyNamesKept:
            let limit = "\(Limits.namesPerCaller)"
            return tr("One program can follow at most {1} names; end observing some directories.", limit)
        case .tooManyDirectories:
            let limit = "\(Limits.directoriesPerCaller)"
            return tr("One program can observe at most {1} directories; end observing some.", limit)
        case .noSuchMenu(let kind):
            return tr("Unknown menu kind {1}: 0 is for items, 1 container, 2 sidebar, 3 toolbar.", "\(kind)")
        case .tooManySelected:
            return tr("A menu can be for at most {1} items; select fewer.", "\(Limits.namesPerCall)")
        case .tooMuchSelected:
            return tr(
                "The names of the items that a menu is for can have {1} MiB together; select fewer.",
                "\(Limits.selectionBytes >> 20)")
        case .tooManyKeys:
            return tr("One call can ask for at most {1} attributes.", "\(Limits.attributeKeys)")
        case .keyTooLong:
            return tr("The key of an attribute has at most {1} bytes.", "\(Limits.attributeKey)")
        case .tooMuchWaits:
            return tr(
                "The calls of this program that wait until directories are found have {1} MiB together; wait for some.",
                "\(Limits.waitingHostBytes >> 20)")
        case .menuExpired: return tr("This menu is no longer valid; open it again.")
        case .menuProviderEnded(let provider):
            return tr("The provider {1} has ended; open the menu again.", provider.rawValue)
        case .noSuchMenuItem(let item): return tr("The menu has no item “{1}” that can be chosen.", item)
        case .menuItemDisabled(let item): return tr("The item “{1}” cannot be chosen now.", item)
        case .tooManyActions(let count):
            return tr(
                count, one: "{1} action has not finished yet; try again once it has.",
                other: "{1} actions have not finished yet; try again once some have.")
        case .alreadyDecided(let folder): return tr("Nothing is left to decide here for {1}.", place(folder))
        case .noSuchService(let item, let interface):
            return tr("No provider of {1} offers the service {2}.", place(item), interface)
        case .callerLeft: return tr("The caller has left the bus.")
        case .providerNotRunning(let provider):
            return tr("The provider {1} is not running; try again once it is.", provider.rawValue)
        case .providerLate(let provider):
            let seconds = Int(Limits.attributePatience.components.seconds)
            return tr(
                seconds, one: "The provider {2} did not answer within {1} second.",
                other: "The provider {2} did not answer within {1} seconds.", provider.rawValue)
        case .wrongAnswer(let provider):
            return tr("The provider {1} gave an answer of the wrong type.", provider.rawValue)
        case .failed(let provider): return tr("The provider {1} failed.", provider.rawValue)
        case .said(let sentence): return sentence
        case .changesRefused(let provider):
            return tr("The provider {1} did not accept what has changed.", provider.rawValue)
        case .switchedOff(let provider):
            return tr("The provider {1} was disabled before it accepted what has changed.", provider.rawValue)
        case .unknownProvider(let name):
            return tr("There is no provider “{1}”.", name)
        case .providerRunning(let provider):
            return tr("The provider “{1}” is running; end it, or disable it instead.", provider.rawValue)
        case .notAFolderOf(let item, let provider):
            return tr("{1} is not a folder of the provider “{2}”.", place(item), provider.rawValue)
        case .tooManyConsents:
            return tr("Too many folders are allowed already; take some back.")
        case .notRegistered:
            return tr("This program is not registered as a provider; call Register first.")
        case .registrationLost(let provider):
            return tr("The provider {1} is no longer registered.", provider.rawValue)
        case .badProviderID:
            return tr("A provider's id is 1 to 32 characters from a-z, 0-9 and -, and starts with a letter.")
        case .idTaken(let provider):
            return tr("The id {1} belongs to another program; register under an id of its own.", provider.rawValue)
        case .appAsks(let name):
            return tr(
                """
                {1} runs in a sandbox, and may not show badges before you say so. Turn it on among the sync engines in \
                Roundel's window, or in its notification.
                """, name)
        case .appIsOff(let name):
            return tr(
                "{1} runs in a sandbox, and you turned it off. Turn it on among the sync engines in Roundel's window.",
                name)
        case .appHasID(let provider):
            return tr("This app has the id {1} already; register under that one.", provider.rawValue)
        case .tooManyStrangers(let provider):
            return tr(
                "There are {1} providers without a manifest already; install a manifest for {2}.",
                "\(Limits.strangers)", provider.rawValue)
        case .tooManyCallsWait:
            return tr("Too many calls wait while the folders of SetFolders are checked; wait for its answer.")
        case .tooManyBadgeImages: return Self.tooManyBadgeImages(Limits.badgeImages)
        case .tooMuchImageText:
            return tr(
                "The identifiers, labels and icons of a provider's badges have at most {1} KiB together; shorten them.",
                "\(Limits.imageText >> 10)")
        case .tooManyPictures:
            return tr("A provider stores at most {1} pictures; give one the name of another.", "\(Limits.pictures)")
        case .pictureTooLarge:
            return tr("A picture has at most {1} KiB; make it smaller.", "\(Limits.pictureBytes >> 10)")
        case .badPictureName:
            return tr("The name of a picture has 1 to 64 letters, digits, hyphens and underscores.")
        case .noPicture:
            return tr(
                """
                This is no picture that can be shown; send a square PNG of a size for icons, or a plain SVG of shapes that \
                refers to nothing outside.
                """)
        case .pictureNotStored(let reason): return tr("The picture could not be saved: {1}.", reason)
        case .tooMuchNoticeText:
            return tr(
                "The notices of a provider's folders have at most {1} MiB together; shorten them.",
                "\(Limits.providerNotices >> 20)")
        case .tooManyBadges:
            let limit = "\(Limits.badgesPerProvider)"
            return tr("A provider can use at most {1} badges of its own; use some of them again.", limit)
        case .badgeTaken(let badge, let provider):
            return tr(
                "The badge “{1}” does not belong to {2}; use a common one or {2}.NAME.",
                String(badge.identifier.prefix(100)), provider.rawValue)
        case .badProgress: return tr("A progress is 0 to 100, or 255 for none.")
        case .badNotices(let error): return error.message
        case .textTooLong:
            return tr("A name, label or tooltip has at most {1} characters.", "\(Limits.providerText)")
        case .pathTooLong:
            return tr("An object path of a provider has at most {1} bytes.", "\(Limits.objectPath)")
        case .tooManyServices: return tr("A provider names at most {1} services.", "\(Limits.services)")
        case .iconIsPath(let icon):
            return tr(
                "“{1}” is not the name of an icon; install the icon in an icon theme and give its name there.",
                icon.shortened(to: 100))
        case .unequalColumns:
            return tr("The columns of UpdateBadges have unequal length; send one value each.")
        case .tooManyRows:
            return tr("One update can have at most {1} names; send it in parts.", "\(Limits.namesPerCall)")
        case .nothingOwned(let item, let provider):
            return tr("{1} is in none of the folders that {2} registered.", place(item), provider.rawValue)
        case .notYourFolder(let item, let provider):
            return tr("{1} is not one of the folders that {2} registered.", place(item), provider.rawValue)
        case .rootFolder:
            return tr("The root of the file system cannot be registered; choose a folder.")
        case .fileAsFolder(let item): return tr("{1} is a file; register a folder.", place(item))
        case .symlinkAsFolder(let item):
            return tr("{1} is a symbolic link; register the folder itself.", place(item))
        case .tooManyFolders:
            return tr(
                "A provider has at most {1} folders, with {2} KiB of URIs, labels and icons; register fewer.",
                "\(Limits.foldersPerProvider)", "\(Limits.folderText >> 10)")
        case .folderTaken(let item, let owner):
            return tr("{1} is already registered by {2}.", place(item), owner.rawValue)
        case .folderTwice: return tr("The same folder is given twice; give it once.")
        case .folderInside(let item, let provider):
            return tr("{1} is inside another folder of {2}; register one of them.", place(item), provider.rawValue)
        case .consentNeeded(let item):
            return tr(
                """
                {1} is above or below a folder of another provider; it shows badges once it is allowed.
                """,
                place(item))
        }
    }

    /// A call with more images than a provider may have.
    package static func tooManyBadgeImages(_ limit: Int) -> String {
        tr(
            limit, one: "A provider can give at most {1} badge image.",
            other: "A provider can give at most {1} badge images.")
    }
}
