internal import RoundelBus
internal import Support
internal import SystemPackage

extension ItemURI {
    /// The item as people write it: the path, with `~` for the home directory.
    var shownPlace: String {
        let path = filePath
        guard let home = ProcessEnvironment.text("HOME").map({ FilePath($0) }), !home.components.isEmpty,
            path.starts(with: home)
        else { return path.string }
        let below = path.components.dropFirst(home.components.count).map(\.string)
        return (["~"] + below).joined(separator: "/")
    }
}
