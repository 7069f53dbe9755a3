internal import Glibc
internal import SyncCore
internal import SystemPackage

/// The directories of Roundel's own settings and state, and of the contents of folders on demand. They are never synced, wherever they are: another computer would
/// follow this one's list of folders.
struct OwnPlaces {
    /// As they are named, and where symbolic links in the names lead.
    private let paths: [FilePath]

    /// - Parameter contents: The directories that keep what is here of folders on demand, beside the usual place for
    ///   those.
    init(_ places: WorkerPlaces, contents: [FilePath] = []) {
        let named =
            [
                places.settings.removingLastComponent(), places.state.removingLastComponent(),
                ContentsDirectory.all(dataHome: places.dataHome),
            ] + contents
        // Settings that are kept elsewhere, with a link at their place, are settings all the same.
        paths = named + (named + [places.settings]).compactMap(Self.resolved)
    }

    /// Their places below a root.
    func places(below root: FilePath) -> [RelativePath] {
        paths.filter { $0.starts(with: root) && $0 != root }.map { path in
            RelativePath(
                path.components.dropFirst(root.components.count).compactMap { part in
                    EntryName(part.withPlatformString { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) })
                })
        }
    }

    /// Whether a root is in one of them, or is one.
    func hold(_ root: FilePath) -> Bool { paths.contains { root.starts(with: $0) } }

    private static func resolved(_ path: FilePath) -> FilePath? {
        guard let real = path.withPlatformString({ realpath($0, nil) }) else { return nil }
        defer { free(real) }
        return FilePath(platformString: real)
    }
}
