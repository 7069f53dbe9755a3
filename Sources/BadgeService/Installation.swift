internal import Glibc

/// Where this program is installed.
enum Installation {
    /// The directory of the icon themes that belong to this installation: `PREFIX/share/icons` for `PREFIX/bin`.
    static let iconThemePath: String = {
        guard let resolved = realpath("/proc/self/exe", nil) else { return "" }
        defer { free(resolved) }
        let path = String(cString: resolved)
        let parts = path.split(separator: "/").dropLast(2)
        return "/" + (parts + ["share", "icons"]).joined(separator: "/")
    }()
}
