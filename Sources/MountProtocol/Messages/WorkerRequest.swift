package import SystemPackage

/// An item as the worker names it. The inode keeps an answer from being for what has taken the item's place since.
package struct ItemReference: Hashable, Sendable {
    package let path: NodePath
    package let inode: UInt64

    package init(path: NodePath, inode: UInt64) {
        self.path = path
        self.inode = inode
    }
}

/// A placeholder that is to be made.
package struct NewPlaceholder: Hashable, Sendable {
    package let path: NodePath
    /// Permission bits.
    package let mode: UInt32
    /// The date, in nanoseconds since 1970.
    package let modified: Int64
    package let contents: Placeholder

    package init(path: NodePath, mode: UInt32, modified: Int64, contents: Placeholder) {
        self.path = path
        self.mode = mode
        self.modified = modified
        self.contents = contents
    }
}

/// What the worker says to a mounted folder, a packet each. A request is answered with its number.
package enum WorkerRequest: Hashable, Sendable {
    /// The first: which version of this protocol the worker speaks.
    case hello(version: UInt32)
    /// A file that the worker has written into the folder holds the contents of an item, or of the item of a fetch.
    case fill(request: UInt32, Target, staged: NodePath, version: [UInt8])
    /// A fetch has failed; who waits gets the error.
    case fail(request: UInt32, FetchNumber, Errno)
    /// A fetch goes on. It is not answered.
    case progress(FetchNumber)
    /// The contents of an item may go if it is still as the worker saw it and nobody uses it.
    case free(request: UInt32, ItemReference, FreedFile)
    /// A placeholder stands for another version from now on, if it is still as the worker saw it.
    case describe(request: UInt32, ItemReference, DescribedFile)
    case make(request: UInt32, [NewPlaceholder])
    /// What was written so far is to be durable.
    case sync(request: UInt32)
    /// Where the item of a fetch is now.
    case locate(request: UInt32, FetchNumber)

    package enum Target: Hashable, Sendable {
        case fetch(FetchNumber)
        case item(ItemReference)
    }

    /// The version of this protocol.
    package static let version: UInt32 = 1
    /// The largest packet, in bytes.
    package static let limit = 64 << 10
    /// The most placeholders of one request.
    package static let batchLimit = 1_000

    // MARK: Wire

    private enum Kind: UInt32 {
        case hello = 1
        case fill, fail, progress, free, make, sync, locate, describe
    }

    /// - Throws: What is wrong with the packet.
    package init(packet: ArraySlice<UInt8>) throws(PacketError) {
        var reader = PacketReader(packet)
        let number = try reader.number(UInt32.self)
        guard let kind = Kind(rawValue: number) else { throw .unknownKind(number) }
        switch kind {
        case .hello: self = .hello(version: try reader.number())
        case .fill:
            self = .fill(
                request: try reader.number(), try reader.target(), staged: try reader.path(),
                version: try reader.part(limit: Placeholder.versionLimit))
        case .fail: self = .fail(request: try reader.number(), try reader.fetch(), try reader.error())
        case .progress: self = .progress(try reader.fetch())
        case .free:
            self = .free(
                request: try reader.number(), try reader.reference(),
                FreedFile(
                    size: try reader.number(), modified: try reader.number(), changed: try reader.number(),
                    version: try reader.part(limit: Placeholder.versionLimit)))
        case .describe:
            self = .describe(request: try reader.number(), try reader.reference(), try reader.description())
        case .make: self = .make(request: try reader.number(), try reader.placeholders())
        case .sync: self = .sync(request: try reader.number())
        case .locate: self = .locate(request: try reader.number(), try reader.fetch())
        }
        guard reader.isAtEnd else { throw .tooLong }
    }

    package var packet: [UInt8] {
        var writer = PacketWriter()
        switch self {
        case .hello(let version): writer.begin(Kind.hello.rawValue, version)
        case .fill(let request, let target, let staged, let version):
            writer.begin(Kind.fill.rawValue, request)
            switch target {
            case .fetch(let fetch): writer.put(fetch.rawValue)
            case .item(let item):
                writer.put(UInt64(0))
                writer.put(item)
            }
            writer.put(staged.bytes)
            writer.put(version)
        case .fail(let request, let fetch, let error):
            writer.begin(Kind.fail.rawValue, request)
            writer.put(fetch.rawValue)
            writer.put(UInt32(bitPattern: error.rawValue))
        case .progress(let fetch):
            writer.put(Kind.progress.rawValue)
            writer.put(fetch.rawValue)
        case .free(let request, let item, let free):
            writer.begin(Kind.free.rawValue, request)
            writer.put(item)
            writer.put(free.size)
            writer.put(free.modified)
            writer.put(free.changed)
            writer.put(free.version)
        case .describe(let request, let item, let file):
            writer.begin(Kind.describe.rawValue, request)
            writer.put(item)
            writer.put(file.size)
            writer.put(file.modified)
            writer.put(file.changed)
            writer.put(file.date)
            writer.put(file.contents.size)
            writer.put(file.contents.version)
        case .make(let request, let items):
            writer.begin(Kind.make.rawValue, request)
            writer.put(UInt32(items.count))
            for item in items { writer.put(item) }
        case .sync(let request): writer.begin(Kind.sync.rawValue, request)
        case .locate(let request, let fetch):
            writer.begin(Kind.locate.rawValue, request)
            writer.put(fetch.rawValue)
        }
        return writer.bytes
    }
}

extension PacketReader {
    /// A fetch is never 0.
    fileprivate mutating func fetch() throws(PacketError) -> FetchNumber {
        let number = try self.number(UInt64.self)
        guard number != 0 else { throw .senseless }
        return FetchNumber(rawValue: number)
    }

    fileprivate mutating func target() throws(PacketError) -> WorkerRequest.Target {
        let number = try self.number(UInt64.self)
        return number == 0 ? .item(try reference()) : .fetch(FetchNumber(rawValue: number))
    }

    fileprivate mutating func reference() throws(PacketError) -> ItemReference {
        let path = try self.path()
        guard !path.names.isEmpty else { throw .noPath }
        return ItemReference(path: path, inode: try number())
    }

    /// An error that open(2) may end with. Programs try again after EINTR, and the kernel knows others than those that
    /// have a name.
    fileprivate mutating func error() throws(PacketError) -> Errno {
        let error = Errno(rawValue: CInt(truncatingIfNeeded: try number(UInt32.self)))
        guard (1...133).contains(error.rawValue), error != .interrupted else { throw .senseless }
        return error
    }

    fileprivate mutating func contents() throws(PacketError) -> Placeholder {
        let size = try number(UInt64.self)
        let version = try part(limit: Placeholder.versionLimit)
        guard size <= UInt64(Int64.max), let contents = Placeholder(size: size, version: version) else {
            throw .senseless
        }
        return contents
    }

    fileprivate mutating func description() throws(PacketError) -> DescribedFile {
        let (size, modified): (UInt64, Int64) = (try number(), try number())
        let (changed, date): (Int64, Int64) = (try number(), try number())
        return DescribedFile(size: size, modified: modified, changed: changed, contents: try contents(), date: date)
    }

    fileprivate mutating func placeholders() throws(PacketError) -> [NewPlaceholder] {
        let count = Int(try number(UInt32.self))
        guard count <= WorkerRequest.batchLimit else { throw .tooLong }
        var items: [NewPlaceholder] = []
        for _ in 0..<count {
            let path = try self.path()
            guard !path.names.isEmpty else { throw .noPath }
            let mode = try number(UInt32.self)
            let modified = try number(Int64.self)
            let contents = try contents()
            guard mode <= 0o777 else { throw .senseless }
            items.append(NewPlaceholder(path: path, mode: mode, modified: modified, contents: contents))
        }
        return items
    }
}

extension PacketWriter {
    fileprivate mutating func begin(_ kind: UInt32, _ request: UInt32) {
        put(kind)
        put(request)
    }

    fileprivate mutating func put(_ item: ItemReference) {
        put(item.path.bytes)
        put(item.inode)
    }

    fileprivate mutating func put(_ item: NewPlaceholder) {
        put(item.path.bytes)
        put(item.mode)
        put(item.modified)
        put(item.contents.size)
        put(item.contents.version)
    }
}
