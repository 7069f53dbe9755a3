/// Programs that show two files side by side, in the order in which they are preferred.
package enum CompareTool: String, CaseIterable, Sendable {
    case meld, kompare, kdiff3, diffuse

    /// The first of them that is installed; nil for none.
    package static var installed: CompareTool? { allCases.first { $0.path != nil } }

    /// Its path; nil if it is not installed. It takes two files as its arguments.
    package var path: String? { InstalledProgram.path(of: rawValue) }

    /// The name by which people know it.
    package var name: String {
        switch self {
        case .meld: "Meld"
        case .kompare: "Kompare"
        case .kdiff3: "KDiff3"
        case .diffuse: "Diffuse"
        }
    }
}
