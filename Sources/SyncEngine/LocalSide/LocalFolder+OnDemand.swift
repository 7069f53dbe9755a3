import SyncCore

/// A disk alone cannot hold files without their contents: a program that opened one would read zeros.
extension LocalFolder {
    func fill(_ path: RelativePath, with id: StageID, expecting expected: Version) throws(EffectFailure) -> Version {
        throw notOnDemand(path)
    }

    func free(_ path: RelativePath, expecting expected: Version) throws(EffectFailure) -> Version {
        throw notOnDemand(path)
    }

    func describe(
        _ path: RelativePath, as source: Version, replacing expected: Version?, permissions: Permissions?
    ) throws(EffectFailure) -> Version {
        throw notOnDemand(path)
    }

    private func notOnDemand(_ path: RelativePath) -> EffectFailure {
        EffectFailure(.denied, Explanation(.notOnDemand, .local, "\(path)"))
    }
}
