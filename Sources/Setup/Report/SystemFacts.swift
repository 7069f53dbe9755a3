internal import Glibc
internal import Support
internal import SystemPackage

/// What of this computer matters for a problem. Only words that are known here are in it: the name of a distribution or of
/// a desktop that somebody made for a firm tells where it runs.
package struct SystemFacts: Sendable, Equatable {
    package let distribution: String
    package let kernel: String
    package let desktop: String
    package let fileManagers: [String]

    /// Facts that are known.
    package init(distribution: String, kernel: String, desktop: String, fileManagers: [String]) {
        (self.distribution, self.kernel) = (distribution, kernel)
        (self.desktop, self.fileManagers) = (desktop, fileManagers)
    }

    /// Looks at this computer and this session. Runs the file managers for their versions.
    package static func ofThisComputer() -> SystemFacts {
        let release = (try? SmallFile.read("/etc/os-release", limit: 16 << 10)) ?? nil
        var names = utsname()
        uname(&names)
        let managers = SupportedFileManager.all.map(\.program) + SupportedFileManager.withoutEmblems.map(\.0)
        return SystemFacts(
            distribution: distribution(osRelease: String(decoding: release ?? [], as: UTF8.self)),
            kernel: version(in: text(&names.release)) + " " + known(text(&names.machine), among: machines),
            desktop: desktop(
                ProcessEnvironment.text("XDG_CURRENT_DESKTOP") ?? "",
                session: ProcessEnvironment.text("XDG_SESSION_TYPE") ?? ""),
            fileManagers: Set(managers).sorted().compactMap(manager))
    }

    /// A file manager and its version, by what it prints of itself; nil if it is not installed. Some print it only where they
    /// can show a window.
    private static func manager(_ program: String) -> String? {
        guard let path = InstalledProgram.path(of: program) else { return nil }
        let said = ChildProgram.output([path, "--version"])
        return "\(program) \(said.map { version(in: $0.text) } ?? unknown)"
    }

    private static func text<Characters>(_ characters: inout Characters) -> String {
        withUnsafeBytes(of: &characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    // MARK: Words

    /// The distribution and its version, from the contents of `os-release`.
    static func distribution(osRelease: String) -> String {
        var values: [Substring: Substring] = [:]
        for line in osRelease.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { values[parts[0]] = parts[1].drop { $0 == "\"" }.prefix { $0 != "\"" } }
        }
        let id = values["ID"].map(String.init) ?? ""
        let number = version(in: values["VERSION_ID"].map(String.init) ?? "")
        if distributions.contains(id) { return number == unknown ? id : "\(id) \(number)" }
        let like = (values["ID_LIKE"] ?? "").split(separator: " ").map(String.init).first(where: distributions.contains)
        return like.map { "like \($0)" } ?? unknown
    }

    /// The desktop, and whether it draws over X11 or Wayland.
    static func desktop(_ names: String, session: String) -> String {
        let known = names.split(separator: ":").map(String.init).filter(desktops.contains)
        let shown = known.isEmpty ? unknown : known.joined(separator: ", ")
        return ["x11", "wayland", "tty"].contains(session) ? "\(shown) (\(session))" : shown
    }

    /// The first number with points of a text: what follows it may be anybody's word.
    static func version(in text: String) -> String {
        let digits = text.drop { !("0"..."9" ~= $0) }.prefix { "0"..."9" ~= $0 || $0 == "." }.prefix(20)
        return digits.isEmpty ? unknown : String(digits.last == "." ? digits.dropLast() : digits)
    }

    private static func known(_ word: String, among words: Set<String>) -> String {
        words.contains(word) ? word : unknown
    }

    private static let unknown = "unknown"
    private static let machines: Set = [
        "x86_64", "aarch64", "armv7l", "riscv64", "ppc64le", "s390x", "i686", "loongarch64",
    ]
    private static let distributions: Set = [
        "debian", "ubuntu", "fedora", "arch", "opensuse", "opensuse-tumbleweed", "opensuse-leap", "suse", "linuxmint",
        "pop",
        "manjaro", "endeavouros", "elementary", "zorin", "kali", "raspbian", "rhel", "centos", "rocky", "almalinux",
        "gentoo",
        "nixos", "void", "alpine", "slackware", "mageia", "neon", "devuan", "deepin", "solus", "mx",
    ]
    private static let desktops: Set = [
        "GNOME", "KDE", "XFCE", "LXQt", "LXDE", "MATE", "X-Cinnamon", "Cinnamon", "Unity", "ubuntu", "Budgie",
        "Pantheon", "COSMIC",
        "sway", "Hyprland", "i3", "Deepin", "Enlightenment", "GNOME-Classic", "GNOME-Flashback",
    ]
}
