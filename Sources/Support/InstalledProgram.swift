internal import Glibc

/// Programs that are installed on this computer.
package enum InstalledProgram {
    /// The path of a program; nil if it cannot be executed, or is not in PATH.
    ///
    /// - Parameter program: Its name, which is searched in the absolute directories of PATH, or its absolute path.
    package static func path(of program: String) -> String? {
        if program.utf8.first == UInt8(ascii: "/") { return access(program, X_OK) == 0 ? program : nil }
        let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
        return folders.split(separator: ":").filter { $0.utf8.first == UInt8(ascii: "/") }
            .map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
    }
}
