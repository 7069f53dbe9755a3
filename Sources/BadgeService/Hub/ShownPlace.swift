internal import RoundelBus
internal import Support
internal import SystemPackage

extension ItemURI {
    /// The path of the item for display, with `~` for the home directory.
    var shownPlace: String { shownPlace(home: ProcessEnvironment.text("HOME")) }

    /// A path can have two thousand components, so it is compared as text.
    func shownPlace(home: String?) -> String {
        let path = String(decoding: PercentCoding.decode(self.path) ?? [], as: UTF8.self)
        // Removes separators at the end.
        guard let home = home.map({ FilePath($0).string }), home != "/", !home.isEmpty,
            path.utf8.starts(with: home.utf8)
        else { return path }
        let rest = path.utf8.dropFirst(home.utf8.count)
        guard rest.isEmpty || rest.first == UInt8(ascii: "/") else { return path }
        return "~" + String(decoding: rest, as: UTF8.self)
    }
}
