internal import Support
internal import SystemPackage

/// Finds the program in which a person compares two files. It is never one that a repository names.
enum RepositoryCompareTool {
    /// Programs that take two files, the older one first.
    private static let known = ["meld", "kompare", "kdiff3", "diffuse", "xxdiff", "tkdiff"]

    /// The program and its arguments; nil if none is installed, or a path is not text.
    static func words(for old: FilePath, _ new: FilePath) -> [String]? {
        guard let first = String(validating: old), let second = String(validating: new) else { return nil }
        let preferred = [chosen].compactMap(\.self) + known
        return preferred.first { InstalledProgram.path(of: $0) != nil }.map { [$0, first, second] }
    }

    /// What the person's own settings of git name, if it is one of those.
    private static var chosen: String? {
        guard let git = InstalledProgram.path(of: "git") else { return nil }
        for name in ["diff.guitool", "merge.guitool", "diff.tool", "merge.tool"] {
            let words = [git, "config", "--global", name].map { Array($0.utf8) }
            let end = CapturedProgram(words, variables: CapturedProgram.inheritedVariables, input: [])
                .finish(within: Patience.Engines.git, most: 4096)
            let tool = String(decoding: end.output, as: UTF8.self).split(separator: "\n").first.map(String.init)
            if let tool, known.contains(tool) { return tool }
        }
        return nil
    }
}
