internal import BadgeEngine
internal import Glibc
internal import Support
internal import SystemPackage

/// The user's own icon theme, in which every program of the session finds icons by their names.
struct PictureTheme: Sendable {
    /// A picture that has to be there.
    struct Entry: Sendable {
        let directory: String
        let file: String
        /// nil: it is there already.
        var bytes: [UInt8]?
    }

    private let root: FilePath

    init(root: FilePath) {
        self.root = root
    }

    /// Without a home directory it is where the user cannot write, which is reported to whoever stores a picture.
    static var ofUser: PictureTheme {
        PictureTheme(root: (BaseDirectories().data ?? "/").appending("icons").appending("hicolor"))
    }

    /// Has these pictures there and no others of a provider, also of a former run.
    /// - Returns: A sentence with the reason if one of them could not be written.
    func replace(with entries: [Entry]) -> String? {
        let wanted = Dictionary(grouping: entries, by: \.directory).mapValues { Set($0.map(\.file)) }
        var isChanged = false
        for directory in Picture.directories where removeOthers(than: wanted[directory] ?? [], in: directory) {
            isChanged = true
        }
        var problem: String?
        for entry in entries {
            guard let bytes = entry.bytes else { continue }
            do {
                try SmallFile.replace(root.appending(entry.directory).appending(entry.file), with: bytes)
                isChanged = true
            } catch {
                problem = "\(root): \(error)"
            }
        }
        if isChanged { changeDate() }
        return problem
    }

    /// Programs look at the date of the theme to learn that there are other icons. Most compare its seconds alone, so
    /// that a second change within the same one would stay unseen.
    private func changeDate() {
        var status = stat()
        let former = root.withPlatformString { lstat($0, &status) } == 0 ? status.st_mtim.tv_sec : 0
        let date = timespec(tv_sec: Self.date(after: former, now: time(nil)), tv_nsec: 0)
        _ = root.withPlatformString { utimensat(AT_FDCWD, $0, [date, date], 0) }
    }

    /// The date of a theme that was changed now, in seconds since 1970, as ``former`` is.
    static func date(after former: Int, now: Int) -> Int { max(former &+ 1, now) }

    /// Whether there were any.
    private func removeOthers(than wanted: Set<String>, in directory: String) -> Bool {
        let place = root.appending(directory)
        guard let stream = place.withPlatformString({ opendir($0) }) else { return false }
        defer { closedir(stream) }
        var others: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            if name.hasPrefix(Picture.prefix), !wanted.contains(name) { others.append(name) }
        }
        for name in others { _ = place.appending(name).withPlatformString { unlink($0) } }
        return !others.isEmpty
    }
}
