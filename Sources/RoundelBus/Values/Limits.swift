internal import Support

/// The limits of the interface that providers and hosts can meet, and within the package those of the service's own
/// bookkeeping. Debug builds can have longer timeouts, for tests.
public enum Limits {
    /// The most directories that one caller observes; one observed under several spellings counts as several.
    public static let directoriesPerCaller = 4096
    /// The most names in one call or answer.
    public static let namesPerCall = 100_000
    /// The most names whose changes one caller gets, in all its directories.
    public static let namesPerCaller = 1_000_000
    /// The most names that no longer exist but are kept for one caller, because they may return.
    package static let goneNamesPerCaller = 100_000
    /// The most items of one directory that are kept for callers that requested the whole directory.
    package static let itemsPerDirectory = 1_000_000
    /// How long a call waits for a provider: 50 ms.
    package static let patience = Patience.Badges.provider
    /// How long a menu that was returned waits for a provider: 20 s.
    package static let latePatience = Patience.Badges.lateMenu
    /// How long GetAttributes waits for a provider: 2 s.
    package static let attributePatience = Patience.Badges.attributes
    /// After how many failures in a row the user is told of a provider.
    package static let failuresInARow = 3
    /// The most menus that one caller keeps.
    package static let menusPerCaller = 16
    /// How long a menu is kept: 5 minutes.
    package static let menuLifetime = Patience.Badges.menuLifetime
    /// The most items in one provider's menu, submenus included.
    public static let menuItems = 256
    /// Of how many selected items it is asked whether they are directories, and of which types.
    package static let inspectedItems = 4_096
    /// The most types of data in the rules of one item or manifest.
    public static let typeRules = 32
    /// The most levels of one provider's menu.
    public static let menuDepth = 3
    /// The most characters in the label or the id of a menu item.
    public static let menuText = 256
    /// The most items of all providers together in the menu for a host.
    package static let mergedMenuItems = 1024
    /// The most bytes in the selected URIs of the menus kept for one caller; beyond that, the oldest menus are dropped.
    package static let selectionBytes = 16 << 20
    /// The most unanswered calls of one host.
    public static let callsPerCaller = 1024
    /// The most directories whose places are determined for one call.
    package static let placesPerCall = 32
    /// The most open questions about the places of directories for one caller; further ones wait.
    package static let placeQuestionsPerCaller = 8
    /// The most of these questions, including waiting ones. Beyond that, a directory in a folder is assumed to be at
    /// the place in its spelling.
    package static let openPlaceQuestionsPerCaller = 512
    /// The most bytes in the arguments of the calls of one caller that wait for these. One call alone may have more.
    package static let waitingHostBytes = 64 << 20
    /// How long a call waits until the place of a directory is known: 3 s.
    package static let placePatience = Patience.Badges.place
    /// The most keys in one call of GetAttributes.
    public static let attributeKeys = 256
    /// The most bytes in one of these keys.
    public static let attributeKey = 1 << 10
    /// The most bytes in the texts of one answer to GetAttributes.
    public static let attributeText = 64 << 10
    /// The most characters in the names, icon names, labels and tooltips of a provider and its badges.
    public static let providerText = 256
    /// The most bytes in the object paths of a provider and its services.
    public static let objectPath = 1 << 10
    /// The most services of a provider.
    public static let services = 64
    /// The most pictures of its own that one provider may have stored.
    public static let pictures = 64
    /// The most bytes of one of these.
    public static let pictureBytes = 64 << 10
    /// The most characters of a folder's status, of at most four bytes each on average; longer texts are truncated.
    public static let statusText = 1024
    /// The most bytes in the status texts of one provider's folders; a folder whose text would be beyond that has none.
    package static let statusTexts = 256 << 10
    /// The most characters of an error's text that are kept and shown, of at most four bytes each on average; longer
    /// ones are truncated.
    package static let errorText = 1024
    /// The most values in the options of one call, or in an answer of attributes, those inside others included.
    package static let optionValues = 16_384
    /// The most bytes in the texts of these.
    package static let optionText = 1 << 20
    /// The most values in the items of one menu, those inside others included.
    package static let menuValues = 65_536
    /// The most bytes in the texts of these.
    package static let menuBytes = 4 << 20
    /// The most bytes in an activation token or in the name of a parent window; longer ones are ignored.
    public static let activationText = 4 << 10
    /// The most providers without a manifest that are known at the same time.
    package static let strangers = 50
    /// The most folders of one provider.
    public static let foldersPerProvider = 1024
    /// The most bytes in the URIs, labels and icons of one provider's folders.
    public static let folderText = 256 << 10
    /// The most nestings of different providers' folders that the user can allow.
    package static let consents = 4096
    /// The most bytes in the URIs of these nestings.
    package static let consentText = 1 << 20
    /// The most calls of one provider that wait while the folders of its SetFolders are checked.
    package static let waitingCalls = 256
    /// The most bytes in the arguments of these calls.
    package static let waitingBytes = 16 << 20
    /// The most badge identifiers of its own that one provider may use while it is registered.
    public static let badgesPerProvider = 1024
    /// The most unfinished actions of one caller.
    public static let activationsPerCaller = 64
    /// The most unfinished actions of one provider.
    public static let activationsPerProvider = 128
    /// The most images of one provider.
    public static let badgeImages = 1024
    /// The most bytes in the identifiers, labels and icons of these.
    public static let imageText = 256 << 10
    /// The most bytes in the notices of all folders of one provider.
    public static let providerNotices = 4 << 20
    /// The most notices of one folder.
    public static let notices = 16
    /// The most actions of one notice.
    public static let noticeActions = 3
    /// The most characters in a notice's title, IDs and labels.
    public static let noticeLine = 256
    /// The most characters in a notice's text.
    public static let noticeText = 1024
}
