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
        typealias P = Phrase
        switch self {
        case .notObserving(let item):
            return P.text("This program does not observe {1}; call BeginObserving first.", place(item))
        case .tooManyNames:
            return P.text("One call can ask for at most {1} names; ask in parts.", "\(Limits.namesPerCall)")
        case .tooManyNamesKept:
            let limit = "\(Limits.namesPerCaller)"
            return P.text("One program can follow at most {1} names; end observing some directories.", limit)
        case .tooManyDirectories:
            let limit = "\(Limits.directoriesPerCaller)"
            return P.text("One program can observe at most {1} directories; end observing some.", limit)
        case .noSuchMenu(let kind):
            return P.text(
                "Unknown menu kind {1}: 0 is for items, 1 container, 2 sidebar, 3 toolbar.", "\(kind)")
        case .tooManySelected:
            return P.text("A menu can be for at most {1} items; select fewer.", "\(Limits.namesPerCall)")
        case .tooMuchSelected:
            return P.text(
                "The names of the items that a menu is for can have {1} MiB together; select fewer.",
                "\(Limits.selectionBytes >> 20)")
        case .tooManyKeys:
            return P.text("One call can ask for at most {1} attributes.", "\(Limits.attributeKeys)")
        case .keyTooLong:
            return P.text("The key of an attribute has at most {1} bytes.", "\(Limits.attributeKey)")
        case .tooMuchWaits:
            return P.text(
                "The calls of this program that wait until directories are found have {1} MiB together; wait for some.",
                "\(Limits.waitingHostBytes >> 20)")
        case .menuExpired: return P.text("This menu is no longer valid; open it again.")
        case .menuProviderEnded(let provider):
            return P.text("The provider {1} has ended; open the menu again.", provider.rawValue)
        case .noSuchMenuItem(let item): return P.text("The menu has no item “{1}” that can be chosen.", item)
        case .menuItemDisabled(let item): return P.text("The item “{1}” cannot be chosen now.", item)
        case .tooManyActions(let count):
            return P.counted(
                count, one: "{1} action has not finished yet; try again once it has.",
                other: "{1} actions have not finished yet; try again once some have.")
        case .alreadyDecided(let folder): return P.text("Nothing is left to decide here for {1}.", place(folder))
        case .noSuchService(let item, let interface):
            return P.text("No provider of {1} offers the service {2}.", place(item), interface)
        case .callerLeft: return P.text("The caller has left the bus.")
        case .providerNotRunning(let provider):
            return P.text("The provider {1} is not running; try again once it is.", provider.rawValue)
        case .providerLate(let provider):
            let seconds = Int(Limits.attributePatience.components.seconds)
            return P.counted(
                seconds, one: "The provider {2} did not answer within {1} second.",
                other: "The provider {2} did not answer within {1} seconds.", provider.rawValue)
        case .wrongAnswer(let provider):
            return P.text("The provider {1} gave an answer of the wrong type.", provider.rawValue)
        case .failed(let provider): return P.text("The provider {1} failed.", provider.rawValue)
        case .said(let sentence): return sentence
        case .changesRefused(let provider):
            return P.text("The provider {1} did not accept what has changed.", provider.rawValue)
        case .switchedOff(let provider):
            return P.text("The provider {1} was disabled before it accepted what has changed.", provider.rawValue)
        case .unknownProvider(let name):
            return P.text("There is no provider “{1}”. See: roundel providers", name)
        case .providerRunning(let provider):
            return P.text("The provider “{1}” is running; end it, or disable it instead.", provider.rawValue)
        case .notAFolderOf(let item, let provider):
            return P.text(
                "{1} is not a folder of the provider “{2}”. See: roundel providers", place(item), provider.rawValue)
        case .tooManyConsents:
            return P.text("Too many folders are allowed already; take some back with roundel providers disallow.")
        case .notRegistered:
            return P.text("This program is not registered as a provider; call Register first.")
        case .registrationLost(let provider):
            return P.text("The provider {1} is no longer registered.", provider.rawValue)
        case .badProviderID:
            return P.text("A provider's id is 1 to 32 characters from a-z, 0-9 and -, and starts with a letter.")
        case .idTaken(let provider):
            return P.text(
                "The id {1} belongs to another program; register under an id of its own.", provider.rawValue)
        case .tooManyStrangers(let provider):
            return P.text(
                "There are {1} providers without a manifest already; install a manifest for {2}.",
                "\(Limits.strangers)", provider.rawValue)
        case .tooManyCallsWait:
            return P.text("Too many calls wait while the folders of SetFolders are checked; wait for its answer.")
        case .tooManyBadgeImages: return Texts.tooManyBadgeImages(Limits.badgeImages)
        case .tooMuchImageText:
            return P.text(
                "The identifiers, labels and icons of a provider's badges have at most {1} KiB together; shorten them.",
                "\(Limits.imageText >> 10)")
        case .tooMuchNoticeText:
            return P.text(
                "The notices of a provider's folders have at most {1} MiB together; shorten them.",
                "\(Limits.providerNotices >> 20)")
        case .tooManyBadges:
            let limit = "\(Limits.badgesPerProvider)"
            return P.text("A provider can use at most {1} badges of its own; use some of them again.", limit)
        case .badgeTaken(let badge, let provider):
            return P.text(
                "The badge “{1}” does not belong to {2}; use a common one or {2}.NAME.",
                String(badge.identifier.prefix(100)), provider.rawValue)
        case .badProgress: return P.text("A progress is 0 to 100, or 255 for none.")
        case .badNotices(let error): return error.message
        case .textTooLong:
            return P.text("A name, label or tooltip has at most {1} characters.", "\(Limits.providerText)")
        case .pathTooLong:
            return P.text("An object path of a provider has at most {1} bytes.", "\(Limits.objectPath)")
        case .tooManyServices: return P.text("A provider names at most {1} services.", "\(Limits.services)")
        case .iconIsPath(let icon):
            return P.text(
                "“{1}” is not the name of an icon; install the icon in an icon theme and give its name there.",
                icon.shortened(to: 100))
        case .unequalColumns:
            return P.text("The columns of UpdateBadges have unequal length; send one value each.")
        case .tooManyRows:
            return P.text("One update can have at most {1} names; send it in parts.", "\(Limits.namesPerCall)")
        case .nothingOwned(let item, let provider):
            return P.text("{1} is in none of the folders that {2} registered.", place(item), provider.rawValue)
        case .notYourFolder(let item, let provider):
            return P.text("{1} is not one of the folders that {2} registered.", place(item), provider.rawValue)
        case .rootFolder:
            return P.text("The root of the file system cannot be registered; choose a folder.")
        case .fileAsFolder(let item): return P.text("{1} is a file; register a folder.", place(item))
        case .symlinkAsFolder(let item):
            return P.text("{1} is a symbolic link; register the folder itself.", place(item))
        case .tooManyFolders:
            return P.text(
                "A provider has at most {1} folders, with {2} KiB of URIs, labels and icons; register fewer.",
                "\(Limits.foldersPerProvider)", "\(Limits.folderText >> 10)")
        case .folderTaken(let item, let owner):
            return P.text("{1} is already registered by {2}.", place(item), owner.rawValue)
        case .folderTwice: return P.text("The same folder is given twice; give it once.")
        case .folderInside(let item, let provider):
            return P.text("{1} is inside another folder of {2}; register one of them.", place(item), provider.rawValue)
        case .consentNeeded(let item):
            return P.text(
                "{1} is above or below a folder of another provider; it shows badges once it is allowed. See: roundel providers",
                place(item))
        }
    }
}
