import CLinux
import Glibc
import SystemPackage

/// Checks which items exist in the observed directories, because the events alone do not always show that.
final class ObservedItems {
    private let tree: AnchoredTree
    private let opener: DirectoryOpener
    private let gate: MountGate
    private let listing: DirectoryListing

    init(tree: AnchoredTree, opener: DirectoryOpener, gate: MountGate, listing: DirectoryListing) {
        self.tree = tree
        self.opener = opener
        self.gate = gate
        self.listing = listing
    }

    /// Which of these names do not exist in the directory; all if it cannot be opened. After an exchange of two files
    /// (RENAME_EXCHANGE), the last event is the departure of a name that still exists.
    func missing(_ names: Set<[UInt8]>, from anchor: Anchor) -> [FilePath.Component] {
        let missing = names.isEmpty ? [] : absent(names, from: anchor) { $0 != nil } ?? Array(names)
        return missing.compactMap { FilePath.Component(bytes: $0) }
    }

    /// Which of these names certainly do not exist in the directory.
    func gone(_ names: [FilePath.Component], from anchor: Anchor) -> [[UInt8]] {
        absent(names.map { $0.withBytes { Array($0) } }, from: anchor) { $0 == .noSuchFileOrDirectory } ?? []
    }

    /// The names that are in the directory; nil if it cannot be listed.
    func present(in anchor: Anchor) -> [FilePath.Component]? {
        guard let descriptor = open(anchor) else { return nil }
        defer { close(descriptor) }
        var names: [FilePath.Component] = []
        do throws(Errno) {
            try listing.forEachEntry(of: descriptor) { name, _ in
                if let component = FilePath.Component(bytes: name) { names.append(component) }
            }
        } catch {
            return nil
        }
        return names
    }

    private func open(_ anchor: Anchor) -> Int32? {
        anchor.node.flatMap { node in try? opener.open(node, in: tree) }
    }

    /// The names whose error code fulfils the condition; nil if the directory cannot be opened.
    private func absent(
        _ names: some Sequence<[UInt8]>, from anchor: Anchor, where isAbsent: (Errno?) -> Bool
    ) -> [[UInt8]]? {
        guard let directory = open(anchor) else { return nil }
        defer { close(directory) }
        return names.filter { isAbsent(lookup($0, in: directory)) }
    }

    private func lookup(_ name: [UInt8], in directory: Int32) -> Errno? {
        (name + [0]).withUnsafeBytes { bytes in
            guard let name = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else { return .invalidArgument }
            return gate.lookup(name, in: directory)
        }
    }
}
