internal import CFuse
internal import CLinux
internal import Glibc
internal import MountProtocol
internal import SystemPackage

/// Puts contents into a file that has none, and takes them out. Whatever is interrupted, and wherever: either the mark is
/// there and contents are fetched, or what the file holds is all of what it should.
///
/// The caller has the item alone, and tells the kernel afterwards.
enum ContentsFiller {
    /// Moves the contents of a staged file into a placeholder, durably. If that fails, the staged file may hold only some
    /// of them.
    ///
    /// - Throws: EALREADY if it is no placeholder, EINVAL if the other file is not what it should hold.
    static func fill(_ place: BackingPlace, from staged: BackingPlace, version: [UInt8]) throws(Errno) {
        let window = try ChangeWindow(place)
        let (target, before) = (window.file, window.before)
        guard let placeholder = try target.placeholder() else { throw .alreadyInProcess }
        try settle(target, as: placeholder)
        let source = try ChangeWindow(staged)
        guard source.before.ino != before.ino, source.before.nlink == 1, source.before.size == placeholder.size,
            version == placeholder.version, try source.file.placeholder() == nil,
            try !ContentsCopy.isSpent(source.file)
        else { throw .invalidArgument }
        do throws(Errno) {
            try ContentsCopy.move(source.file, to: target, size: placeholder.size)
            // A clone has the size of its source, into which somebody may have written meanwhile.
            guard try target.status().attributes.size == placeholder.size else { throw .invalidArgument }
            try target.synchronize()
        } catch {
            // Of another size it would count as emptied.
            try? target.setSize(placeholder.size)
            // The room is of more use to others.
            _ = cfuse_punch(target.raw, off_t(clamping: placeholder.size))
            try? target.setTimes(of: before)
            throw error
        }
        try target.setTimes(of: before)
        try target.removeExtended(Placeholder.attribute)
    }

    /// Leaves a placeholder of what a file holds.
    ///
    /// - Throws: EALREADY if it is one, ESTALE if it is not as the worker saw it, EMLINK if it has several names.
    static func free(_ place: BackingPlace, _ wanted: FreedFile) throws(Errno) {
        let window = try ChangeWindow(place)
        let (file, before) = (window.file, window.before)
        guard try file.placeholder() == nil else { throw .alreadyInProcess }
        guard before.nlink == 1 else { throw .tooManyLinks }
        guard before.size == wanted.size, before.modified == wanted.modified, before.changed == wanted.changed,
            before.size > 0, let placeholder = Placeholder(size: before.size, version: wanted.version)
        else { throw .staleNFSFileHandle }
        try file.setMark(PlaceholderMark(placeholder))
        do throws(Errno) {
            try file.synchronize()
        } catch {
            // Nothing has been taken out yet.
            try? file.removeExtended(Placeholder.attribute)
            throw error
        }
        // Whatever fails from here on, some of the contents may be gone: the mark stays.
        defer { try? file.setTimes(of: before) }
        try checked { cfuse_punch(file.raw, off_t(before.size)) }
    }

    /// Has a placeholder stand for another version.
    ///
    /// - Throws: EALREADY if it is none, ESTALE if it is not as the worker saw it.
    static func describe(_ place: BackingPlace, _ wanted: DescribedFile) throws(Errno) {
        let window = try ChangeWindow(place)
        let (file, before) = (window.file, window.before)
        guard try file.placeholder() != nil else { throw .alreadyInProcess }
        guard before.size == wanted.size, before.modified == wanted.modified, before.changed == wanted.changed else {
            throw .staleNFSFileHandle
        }
        if wanted.contents.size > 0 {
            try file.setMark(PlaceholderMark(wanted.contents, formerSize: before.size))
            try settle(file, as: wanted.contents)
        } else {
            try file.setSize(0)
            try file.removeExtended(Placeholder.attribute)
        }
        try file.setModified(wanted.date)
    }

    /// Ends what describing a placeholder anew began: its mark names both sizes.
    private static func settle(_ file: BackingFile, as contents: Placeholder) throws(Errno) {
        guard try file.mark()?.formerSize != nil else { return }
        try file.setSize(contents.size)
        try file.setMark(PlaceholderMark(contents))
    }

    /// Throws away what a file holds or would hold.
    /// - Returns: Whether it was a placeholder.
    static func empty(_ place: BackingPlace) throws(Errno) -> Bool {
        let file = try place.open(O_WRONLY)
        let marked = try ContentsSight.placeholder(of: file, at: place)
        // Then it is no placeholder any more; but with the mark it would be one again as soon as it has the same size.
        try file.setSize(0)
        guard marked != nil else { return false }
        try ContentsSight.unmark(place)
        return true
    }
}
