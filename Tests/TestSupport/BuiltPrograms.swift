import Glibc

/// The programs that are built together with the tests.
public enum BuiltPrograms {
    /// The path of one: it stands beside the tests.
    public static func path(_ name: String) -> String {
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }
        for path in [own, bundle].compactMap(\.self) {
            let beside = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
            if access("\(beside)/\(name)", X_OK) == 0 { return "\(beside)/\(name)" }
        }
        return name
    }

    /// `swift test` runs the tests in a program of the toolchain, or in one of their own.
    private static var own: String? {
        guard let path = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(path) }
        return String(cString: path)
    }
}
