internal import Support

/// Finds a program that shows two files side by side.
enum CompareTool {
    /// Programs that take two files as their arguments, in the order in which they are preferred.
    private static let programs = ["meld", "kompare", "kdiff3", "diffuse"]

    /// The path of the installed program; nil if there is none.
    static var installed: String? { programs.lazy.compactMap(InstalledProgram.path).first }
}
