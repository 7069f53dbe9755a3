package import SystemPackage

/// What a mounted folder says to the worker, a packet each.
package enum MountReport: Hashable, Sendable {
    /// The answer to the worker's first packet, with the version that is spoken and the inode of the folder.
    case hello(version: UInt32, root: UInt64)
    /// Somebody opens an item whose contents are not here.
    case fetch(FetchNumber, ItemReference, Placeholder, FetchReason)
    /// Nobody wants the contents of a fetch any more.
    case cancel(FetchNumber)
    /// The contents of an item that were not here were thrown away.
    case emptied(ItemReference)
    /// A request is done, or failed with an error.
    case done(request: UInt32, Errno?)
    /// Placeholders were made: the inode of each, or the error with which it could not be.
    case made(request: UInt32, [Made])
    /// Where the item of a fetch is.
    case located(request: UInt32, NodePath)

    /// Who wants contents.
    package struct FetchReason: Hashable, Sendable {
        package let process: Int32
        /// The path of the program, or its name; empty if it is not known.
        package let executable: [UInt8]

        package init(process: Int32, executable: [UInt8]) {
            self.process = process
            self.executable = executable
        }
    }

    package enum Made: Hashable, Sendable {
        case inode(UInt64)
        case failed(Errno)
    }

    /// The largest packet, in bytes.
    package static let limit = 64 << 10
    private static let executableLimit = 4_096

    // MARK: Wire

    private enum Kind: UInt32 {
        case hello = 1
        case fetch, cancel, emptied, done, made, located
    }

    /// - Throws: What is wrong with the packet.
    package init(packet: ArraySlice<UInt8>) throws(PacketError) {
        var reader = PacketReader(packet)
        let number = try reader.number(UInt32.self)
        guard let kind = Kind(rawValue: number) else { throw .unknownKind(number) }
        switch kind {
        case .hello: self = .hello(version: try reader.number(), root: try reader.number())
        case .fetch:
            let fetch = FetchNumber(rawValue: try reader.number())
            let item = ItemReference(path: try reader.path(), inode: try reader.number())
            let size = try reader.number(UInt64.self)
            guard let contents = Placeholder(size: size, version: try reader.part(limit: Placeholder.versionLimit))
            else {
                throw .senseless
            }
            let reason = FetchReason(
                process: try reader.number(), executable: try reader.part(limit: Self.executableLimit))
            self = .fetch(fetch, item, contents, reason)
        case .cancel: self = .cancel(FetchNumber(rawValue: try reader.number()))
        case .emptied: self = .emptied(ItemReference(path: try reader.path(), inode: try reader.number()))
        case .done: self = .done(request: try reader.number(), try reader.outcome())
        case .made: self = .made(request: try reader.number(), try reader.made())
        case .located: self = .located(request: try reader.number(), try reader.path())
        }
        guard reader.isAtEnd else { throw .tooLong }
    }

    package var packet: [UInt8] {
        var writer = PacketWriter()
        switch self {
        case .hello(let version, let root):
            writer.put(Kind.hello.rawValue)
            writer.put(version)
            writer.put(root)
        case .fetch(let fetch, let item, let contents, let reason):
            writer.put(Kind.fetch.rawValue)
            writer.put(fetch.rawValue)
            writer.put(item.path.bytes)
            writer.put(item.inode)
            writer.put(contents.size)
            writer.put(contents.version)
            writer.put(reason.process)
            writer.put(Array(reason.executable.prefix(Self.executableLimit)))
        case .cancel(let fetch):
            writer.put(Kind.cancel.rawValue)
            writer.put(fetch.rawValue)
        case .emptied(let item):
            writer.put(Kind.emptied.rawValue)
            writer.put(item.path.bytes)
            writer.put(item.inode)
        case .done(let request, let error):
            writer.put(Kind.done.rawValue)
            writer.put(request)
            writer.put(UInt32(bitPattern: error?.rawValue ?? 0))
        case .made(let request, let made):
            writer.put(Kind.made.rawValue)
            writer.put(request)
            writer.put(UInt32(made.count))
            for one in made {
                switch one {
                case .inode(let inode):
                    writer.put(UInt32(0))
                    writer.put(inode)
                case .failed(let error):
                    writer.put(UInt32(bitPattern: error.rawValue))
                    writer.put(UInt64(0))
                }
            }
        case .located(let request, let path):
            writer.put(Kind.located.rawValue)
            writer.put(request)
            writer.put(path.bytes)
        }
        return writer.bytes
    }
}

extension PacketReader {
    fileprivate mutating func outcome() throws(PacketError) -> Errno? {
        let number = CInt(truncatingIfNeeded: try number(UInt32.self))
        return number == 0 ? nil : Errno(rawValue: number)
    }

    fileprivate mutating func made() throws(PacketError) -> [MountReport.Made] {
        let count = Int(try number(UInt32.self))
        guard count <= WorkerRequest.batchLimit else { throw .tooLong }
        var made: [MountReport.Made] = []
        for _ in 0..<count {
            let error = try outcome()
            let inode = try number(UInt64.self)
            made.append(error.map { .failed($0) } ?? .inode(inode))
        }
        return made
    }
}
