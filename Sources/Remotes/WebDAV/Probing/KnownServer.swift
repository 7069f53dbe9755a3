/// A kind of server of which it is known what the probe finds, as long as it confirms that.
///
/// Only what was tried out with the real server stands here.
enum KnownServer: Sendable {
    /// mod_dav_fs of Apache 2.4.
    case apache

    /// The kind of a server that says this of itself; nil for one that is not known, or of another version.
    init?(_ claim: ServerClaim, at location: ServerLocation) {
        // Accounts of others with Nextcloud's addresses are programs behind a server that says its own name.
        guard claim.capabilities?.version == nil, let program = claim.program, program.hasPrefix("Apache/2.4."),
            AccountFiles(of: location) == nil
        else { return nil }
        self = .apache
    }

    /// What it can do.
    var traits: ServerTraits {
        switch self {
        case .apache:
            var traits = ServerTraits()
            (traits.honoursMatch, traits.honoursAbsence, traits.honoursMatchInMoves) = (true, true, true)
            (traits.honoursMatchOfTarget, traits.honoursOverwrite, traits.writesAtOnce) = (true, true, true)
            (traits.listsTags, traits.keepsTagInMoves, traits.keepsNamesInMoves) = (true, true, true)
            (traits.locks, traits.weakTagsStay, traits.tagsAreVeryFine) = (true, true, true)
            (traits.ranges, traits.makesOnlyNew) = (true, true)
            return traits
        }
    }
}
