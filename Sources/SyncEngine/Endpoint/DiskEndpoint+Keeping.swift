import SyncCore
import SystemPackage

extension DiskEndpoint: KeepsVersions {
    func keptVersions() throws(EffectFailure) -> [KeptVersion] {
        try attempt(.root) { _ throws(Errno) in try kept().versions() }
    }

    func restore(_ version: KeptVersion, below place: FilePath?) throws(EffectFailure) -> RelativePath {
        let (stores, root) = try attempt(version.path) { workspace throws(Errno) in
            (
                try kept(),
                try place.map { path throws(Errno) in try DirectoryHandle(absolute: path) } ?? workspace.directory
            )
        }
        return try stores.restore(version, below: root)
    }

    func delete(_ version: KeptVersion) throws(EffectFailure) {
        try attempt(version.path) { _ throws(Errno) in try kept() }.delete(version)
    }

    private func kept() throws(Errno) -> KeptStores {
        var holders: [KeptStores.Holder] = []
        for workspace in try workspaces() {
            holders.append(
                KeptStores.Holder(
                    replaced: try workspace.replaced(), trash: workspace.trash, prefix: workspace.prefix))
        }
        return KeptStores(holders: holders, side: side, place: storePlace)
    }

    private var storePlace: KeptVersion.Place {
        switch disposal {
        case .trash: .store
        case .store: .remote
        }
    }
}
