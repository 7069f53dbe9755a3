/// A kind of server of which it is known what the probe finds, as long as it confirms that.
enum KnownServer: CaseIterable, Sendable {
    /// mod_dav_fs of Apache 2.4.
    case apache
    /// Nextcloud 29.
    case nextcloud

    /// The kind of a server that says this of itself; nil for one that is not known, or of another version.
    init?(_ claim: ServerClaim, at location: ServerLocation) {
        if let version = claim.capabilities?.version {
            guard version.hasPrefix("29.") else { return nil }
            self = .nextcloud
        } else {
            // Accounts of others with Nextcloud's addresses are programs behind a server that says its own name.
            guard let program = claim.program, program.hasPrefix("Apache/2.4."), AccountFiles(of: location) == nil
            else { return nil }
            self = .apache
        }
    }

    /// What it can do.
    func traits(_ claim: ServerClaim) -> ServerTraits {
        var traits = ServerTraits()
        (traits.honoursMatch, traits.honoursAbsence, traits.honoursMatchInMoves) = (true, true, true)
        (traits.honoursMatchOfTarget, traits.honoursOverwrite, traits.writesAtOnce) = (true, true, true)
        (traits.listsTags, traits.keepsTagInMoves, traits.keepsNamesInMoves) = (true, true, true)
        traits.ranges = true
        switch self {
        case .apache:
            (traits.locks, traits.weakTagsStay, traits.tagsAreVeryFine) = (true, true, true)
        case .nextcloud:
            (traits.repliesWithTags, traits.tellsQuickWrites) = (true, true)
            (traits.directoryTags, traits.keepsTreeTags, traits.listsTrees) = (true, true, true)
            (traits.keepsModified, traits.keepsDigests, traits.tellsDigests) = (true, true, true)
            (traits.tellsAccess, traits.takesChunks, traits.tellsQuota, traits.hasItemPages) = (true, true, true, true)
            traits.note(claim.capabilities)
        }
        return traits
    }
}
