internal import CFuse
internal import CLinux
internal import Glibc
internal import MountProtocol
internal import SystemPackage

/// Answers what the kernel asks of open directories.
struct DirectoryService: Sendable {
    let tree: BackingTree
    let device: KernelDevice

    func open(_ request: inout KernelRequest) throws(Errno) {
        let node = request.node
        let file = try tree.reading { () throws(Errno) in
            // The way through the cache of directories: it stands for the same one.
            try BackingPlace.itself(tree.directory(node)).open(O_RDONLY | O_DIRECTORY)
        }
        let handle = file.handOver()
        let kept = tree.takeChange(in: node) ? 0 : FOPEN_KEEP_CACHE
        let answer = fuse_open_out(fh: UInt64(handle), open_flags: UInt32(FOPEN_CACHE_DIR | kept), padding: 0)
        if !device.answer(request.unique, answer) { Glibc.close(handle) }
    }

    func close(_ request: inout KernelRequest) throws(Errno) {
        let asked: fuse_release_in = try request.part()
        Glibc.close(Int32(truncatingIfNeeded: asked.fh))
        device.confirm(request.unique)
    }

    /// Lists a part of a directory.
    ///
    /// - Parameters:
    ///   - hasAttributes: Whether each entry is told as if it had been looked up.
    ///   - buffer: Room for the answer; the request is not used any more then.
    func read(
        _ request: inout KernelRequest, hasAttributes: Bool, _ buffer: UnsafeMutableRawBufferPointer
    ) throws(Errno) {
        let asked: fuse_read_in = try request.part()
        let (unique, node) = (request.unique, request.node)
        let directory = BackingFile(borrowing: Int32(truncatingIfNeeded: asked.fh))
        var answer = ListingAnswer(
            UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(Int(asked.size), buffer.count)]))
        try checked { lseek(directory.raw, off_t(truncatingIfNeeded: asked.offset), SEEK_SET) }
        // An entry is a good deal smaller here than in the answer.
        var entries = [UInt8](repeating: 0, count: max(1_024, min(Int(asked.size), 1 << 16) / (hasAttributes ? 4 : 1)))
        var isFull = false
        while !isFull {
            let count = try checked { clinux_list(directory.raw, &entries, entries.count) }
            if count == 0 { break }
            isFull = try fill(&answer, entries[..<count], directory, node, hasAttributes)
            // One part is enough; the next begins where it ended.
            if !answer.isEmpty { break }
        }
        device.answer(unique, bytes: answer.bytes)
    }

    /// - Returns: Whether the answer is full.
    private func fill(
        _ answer: inout ListingAnswer, _ entries: ArraySlice<UInt8>, _ directory: BackingFile, _ node: NodeNumber,
        _ hasAttributes: Bool
    ) throws(Errno) -> Bool {
        try tree.reading { () throws(Errno) in
            entries.withUnsafeBytes { bytes in
                var rest = bytes[...]
                while let entry = ListedEntry(UnsafeRawBufferPointer(rebasing: rest)) {
                    rest = rest.dropFirst(entry.length)
                    guard answer.hasRoom(for: entry, hasAttributes: hasAttributes) else { return true }
                    guard hasAttributes else {
                        answer.append(entry, nil)
                        continue
                    }
                    // What is `.` or `..`, or has gone since, is not looked up.
                    let found = NodeName(entry.name).flatMap { try? lookUp($0, in: directory, node) }
                    answer.append(entry, found.map { KernelAnswer.entry($0.node, $0.item) } ?? fuse_entry_out())
                }
                return false
            }
        }
    }

    private func lookUp(
        _ name: NodeName, in directory: BackingFile, _ node: NodeNumber
    ) throws(Errno) -> (node: NodeNumber, item: cfuse_item) {
        try tree.enter(name, in: node, status: BackingPlace.entry(directory, name).status())
    }
}

/// The answer to FUSE_READDIR or FUSE_READDIRPLUS.
private struct ListingAnswer {
    private let buffer: UnsafeMutableRawBufferPointer
    private var used = 0

    private static let headSize = 24
    private static let entrySize = MemoryLayout<fuse_entry_out>.size

    init(_ buffer: UnsafeMutableRawBufferPointer) { self.buffer = buffer }

    var isEmpty: Bool { used == 0 }
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer[..<used]) }

    func hasRoom(for entry: ListedEntry, hasAttributes: Bool) -> Bool {
        used + size(of: entry, hasAttributes: hasAttributes) <= buffer.count
    }

    mutating func append(_ entry: ListedEntry, _ attributes: fuse_entry_out?) {
        let start = used
        used += size(of: entry, hasAttributes: attributes != nil)
        var place = start
        func put<Value: BitwiseCopyable>(_ value: Value) {
            buffer.storeBytes(of: value, toByteOffset: place, as: Value.self)
            place += MemoryLayout<Value>.size
        }
        if let attributes { put(attributes) }
        put(entry.inode)
        put(entry.next)
        put(UInt32(entry.name.count))
        put(UInt32(entry.type))
        UnsafeMutableRawBufferPointer(rebasing: buffer[place..<used]).initializeMemory(as: UInt8.self, repeating: 0)
        UnsafeMutableRawBufferPointer(rebasing: buffer[place...]).copyMemory(from: entry.name)
    }

    private func size(of entry: ListedEntry, hasAttributes: Bool) -> Int {
        (hasAttributes ? Self.entrySize : 0) + (Self.headSize + entry.name.count + 7) & ~7
    }
}
