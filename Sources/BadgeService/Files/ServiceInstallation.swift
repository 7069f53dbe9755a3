internal import Glibc

/// Where this program is installed.
enum ServiceInstallation {
    /// The directory of the icon themes that belong to this installation: `PREFIX/share/icons` for `PREFIX/bin`.
    static let iconThemePath = shared("icons")

    /// The directory of the other files of this installation.
    static let resourcePath = shared("roundel")

    private static func shared(_ folder: String) -> String {
        guard let resolved = realpath("/proc/self/exe", nil) else { return "" }
        defer { free(resolved) }
        let parts = String(cString: resolved).split(separator: "/").dropLast(2)
        return "/" + (parts + ["share", Substring(folder)]).joined(separator: "/")
    }
}
