package import SyncCore

/// The shares that a remote makes of its items.
package protocol ItemSharing: Sendable {
    /// Whether items can be shared at all, as far as is known.
    var givesShares: Bool { get }

    /// What the server allows and demands of shares of an item.
    func rules(of item: RelativePath, isDirectory: Bool) async throws(SharingFailure) -> ShareRules

    /// The user's shares of an item.
    func shares(of item: RelativePath, isDirectory: Bool) async throws(SharingFailure) -> [ItemShare]

    /// The people and groups whose name, account or address a text is part of.
    func recipients(_ text: String, for item: RelativePath, isDirectory: Bool) async throws(SharingFailure)
        -> [ShareRecipient]

    /// Shares an item, and returns the share. One that is there already and the same is returned rather than made twice.
    ///
    /// - Parameter wish: As the rules allow it.
    func share(_ item: RelativePath, isDirectory: Bool, _ wish: ShareWish) async throws(SharingFailure) -> ItemShare

    /// Changes one of the user's shares of an item, and returns what it is then.
    ///
    /// - Parameter change: As the rules allow it.
    func change(
        _ share: String, of item: RelativePath, isDirectory: Bool, _ change: ShareChange
    ) async throws(SharingFailure) -> ItemShare

    /// Ends one of the user's shares of an item.
    func end(_ share: String, of item: RelativePath, isDirectory: Bool) async throws(SharingFailure)
}

/// Why a server did not do what it was asked about shares.
package enum SharingFailure: Error, Hashable, Sendable {
    /// The request failed.
    case failed(EffectFailure)
    /// The server does not do it; with its one-line reason for the user, if it gives one.
    case refused(String?)
    /// What the person wants is not possible.
    case obstacle(ShareObstacle)
    /// The item is shared with this recipient already, in another way.
    case sharedAlready(String)
    /// No such share of this item exists.
    case noSuchShare
    /// The server made another share than was asked for; whether it was taken back.
    case wrongShare(isTakenBack: Bool)
}
