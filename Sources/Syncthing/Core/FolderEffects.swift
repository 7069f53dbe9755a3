internal import RoundelBus

/// What follows from what a folder was fed.
struct FolderEffects {
    /// To be asked now.
    var questions: [Question] = []
    /// Whose place on the disk is to be looked at.
    var looks: [ItemURI] = []
    /// Shown items of which the badge is known now.
    var ready: [ItemURI] = []
    /// The badges of shown items that have changed.
    var badges: [ItemURI: BadgeRow] = [:]
    /// Whether the state of the whole folder may have changed.
    var status = false
}
