package import RoundelBus

/// Why a call is refused, with the details. ``Refusal/error(_:)`` makes a sentence of it where it leaves the service.
package enum Refusal: Error, Equatable, Sendable {
    // Hosts
    case notObserving(ItemURI)
    case tooManyNames
    case tooManyNamesKept
    case tooManyDirectories
    case noSuchMenu(kind: UInt32)
    case tooManySelected
    case tooMuchSelected
    case tooManyKeys
    case keyTooLong
    case tooMuchWaits
    case menuExpired
    case menuProviderEnded(ProviderID)
    case noSuchMenuItem(String)
    case menuItemDisabled(String)
    case tooManyActions(Int)
    case alreadyDecided(ItemURI)
    case noSuchService(ItemURI, interface: String)
    case callerLeft

    // Providers that do not do what they were asked for
    case providerNotRunning(ProviderID)
    case providerLate(ProviderID)
    case wrongAnswer(ProviderID)
    case failed(ProviderID)
    /// The provider's own sentence.
    case said(String)
    case changesRefused(ProviderID)
    case switchedOff(ProviderID)

    // The settings
    case unknownProvider(String)
    case providerRunning(ProviderID)
    case notAFolderOf(ItemURI, ProviderID)
    case tooManyConsents

    // Calls of providers
    case notRegistered
    case registrationLost(ProviderID)
    case badProviderID
    case idTaken(ProviderID)
    /// The name of the app in a sandbox, of which the user is asked.
    case appAsks(String)
    /// The name of the app in a sandbox, which the user has switched off.
    case appIsOff(String)
    /// The id that the app in a sandbox has asked for before.
    case appHasID(ProviderID)
    case tooManyStrangers(ProviderID)
    case tooManyCallsWait
    case tooManyBadgeImages
    case tooMuchImageText
    case tooManyPictures
    case pictureTooLarge
    case badPictureName
    case noPicture
    case pictureNotStored(String)
    case tooMuchNoticeText
    case tooManyBadges
    case badgeTaken(Badge, ProviderID)
    case badProgress
    case badNotices(RoundelError)
    case textTooLong
    case pathTooLong
    case tooManyServices
    case iconIsPath(String)
    case unequalColumns
    case tooManyRows
    case nothingOwned(ItemURI, ProviderID)
    case notYourFolder(ItemURI, ProviderID)
    case rootFolder
    case fileAsFolder(ItemURI)
    case symlinkAsFolder(ItemURI)
    case tooManyFolders
    case folderTaken(ItemURI, by: ProviderID)
    case folderTwice
    case folderInside(ItemURI, ProviderID)
    case consentNeeded(ItemURI)

    /// The error code, for programs.
    package var code: RoundelError.Code {
        switch self {
        case .notObserving: .notObserving
        case .tooManyNames, .tooManyNamesKept, .tooManyDirectories, .tooManySelected, .tooManyActions,
            .tooMuchSelected, .tooManyKeys, .keyTooLong, .tooMuchWaits, .textTooLong, .pathTooLong, .tooManyServices,
            .tooManyStrangers, .tooManyCallsWait, .tooManyBadgeImages, .tooMuchImageText, .tooMuchNoticeText,
            .tooManyPictures, .pictureTooLarge,
            .tooManyBadges, .tooManyRows, .tooManyFolders, .tooManyConsents:
            .limitExceeded
        case .noSuchMenu, .badProviderID, .badProgress, .unequalColumns, .iconIsPath, .badPictureName, .noPicture:
            .invalidArguments
        case .menuExpired, .menuProviderEnded: .staleMenu
        case .noSuchMenuItem, .menuItemDisabled, .alreadyDecided: .unknownItem
        case .noSuchService: .noSuchService
        case .callerLeft: .cancelled
        case .providerNotRunning: .providerGone
        case .providerLate: .providerTimeout
        case .wrongAnswer, .failed, .said, .changesRefused, .switchedOff: .providerFailed
        case .unknownProvider: .unknownProvider
        case .providerRunning: .providerRunning
        case .notAFolderOf: .unknownFolder
        case .notRegistered, .registrationLost: .notRegistered
        case .idTaken, .appHasID: .identityTaken
        case .appAsks, .appIsOff: .consentNeeded
        case .badgeTaken: .badgeTaken
        case .badNotices(let error): error.code
        case .nothingOwned, .notYourFolder: .notYourFolder
        case .rootFolder, .fileAsFolder, .symlinkAsFolder: .invalidURI
        case .folderTaken, .folderTwice, .folderInside: .folderTaken
        case .consentNeeded: .consentNeeded
        case .pictureNotStored: .failed
        }
    }
}
