import Foundation
import SyncCore
import SystemPackage

extension DirectoryHandle {
    /// Whether the entry found under `name` is spelled exactly like that. A file system that ignores case or
    /// normalisation also finds differently spelled entries, which must not be confused with this one.
    ///
    /// - Parameter status: The status of the entry that was found.
    func spells(_ name: EntryName, _ status: FileStatus) throws(Errno) -> Bool {
        guard let text = String(validating: name.bytes, as: UTF8.self) else { return true }
        for other in Self.otherSpellings(of: text) {
            guard let spelling = EntryName(other), spelling != name, let found = try? self.status(of: spelling),
                found.inode == status.inode, found.device == status.device
            else { continue }
            return try names().contains(name)
        }
        return true
    }

    private static func otherSpellings(of text: String) -> [String] {
        let forms = [
            text.lowercased(), text.uppercased(), text.precomposedStringWithCanonicalMapping,
            text.decomposedStringWithCanonicalMapping,
        ]
        return forms.filter { !$0.utf8.elementsEqual(text.utf8) }
    }
}
