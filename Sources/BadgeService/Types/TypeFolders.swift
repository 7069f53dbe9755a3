internal import RoundelBus
internal import Support
internal import SystemPackage

/// Where the `globs2` files of the Shared MIME-info Database are: `mime` below the directories of data.
///
/// They are read anew for each question, which takes milliseconds: nothing stays in memory, and types that were
/// installed meanwhile are known.
struct TypeFolders: Sendable {
    /// The directories of data, the most important first.
    let data: [FilePath]

    /// The directories of this user and the system.
    static var ofUser: TypeFolders {
        let directories = BaseDirectories()
        return TypeFolders(data: [directories.data].compactMap(\.self) + directories.systemData)
    }

    /// The maximum size of a file in bytes; a larger one is passed over.
    private static let limit = 1 << 20

    /// The types that files of these names can have, each as good as the others; none where the name says nothing.
    func types(of names: [[UInt8]]) -> [[DataType]] {
        var table = GlobTable()
        for folder in data {
            let file = folder.appending("mime").appending("globs2")
            if let bytes = (try? SmallFile.read(file, limit: Self.limit)) ?? nil { table.add(bytes) }
        }
        return names.map { table.types(of: $0) }
    }
}
