import SyncCore

/// A disk alone cannot hold files without their contents: a program that opened one would read zeros. A mounted folder
/// can.
extension LocalFolder {
    func fill(_ path: RelativePath, with id: StageID, expecting expected: Version) throws(EffectFailure) -> Version {
        try files(path).fill(path, with: id, expecting: expected)
    }

    func free(
        _ path: RelativePath, expecting expected: Version, as source: Version
    ) throws(EffectFailure) -> Version {
        try files(path).free(path, expecting: expected, as: source)
    }

    func describe(
        _ path: RelativePath, as source: Version, replacing expected: Version?, permissions: Permissions?
    ) throws(EffectFailure) -> Version {
        try files(path).describe(path, as: source, replacing: expected, permissions: permissions)
    }

    private func files(_ path: RelativePath) throws(EffectFailure) -> MountedFiles {
        guard let mounted else { throw EffectFailure(.denied, Explanation(.notOnDemand, .local, "\(path)")) }
        return mounted
    }
}
