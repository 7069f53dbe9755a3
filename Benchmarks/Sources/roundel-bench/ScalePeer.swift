internal import Glibc

/// A program that copies the same tree.
enum ScalePeer: String, CaseIterable {
    case rsync
    case rclone = "rclone bisync"
    case unison

    /// In nanoseconds: a peer that takes longer is not waited for.
    static let patience = 120e9

    /// Copies the tree for the first time, durably; the time that this took in nanoseconds, nil where the program is not
    /// installed.
    func copy(_ tree: ScaleTree) throws -> Double? {
        guard (try? Child.output(["which", program])) != nil else { return nil }
        let copy = try tree.other("copy-\(program)")
        Glibc.sync()
        let start = now()
        let child = try Child(
            [
                "timeout", "\(Int(Self.patience / 1e9))", "sh", "-c", command + " && sync -f \"$2\"", "peer",
                tree.source, copy, tree.home,
            ])
        child.wait()
        return Double(now() - start)
    }

    /// Brings the copy up to date; the time that this took.
    func sync(_ tree: ScaleTree) throws -> Double {
        try Child.time(["sh", "-c", command, "peer", tree.source, try tree.other("copy-\(program)"), tree.home])
    }

    private var program: String {
        switch self {
        case .rsync: "rsync"
        case .rclone: "rclone"
        case .unison: "unison"
        }
    }

    /// `$1` is the source, `$2` the copy, `$3` a place for what the program keeps.
    private var command: String {
        switch self {
        case .rsync: "rsync -a \"$1/\" \"$2\""
        case .rclone: "HOME=\"$3\" rclone bisync \"$1\" \"$2\" --resync --workdir \"$3/bisync\" >/dev/null 2>&1"
        case .unison: "HOME=\"$3\" UNISON=\"$3/unison\" unison \"$1\" \"$2\" -batch -ui text -silent >/dev/null 2>&1"
        }
    }
}
