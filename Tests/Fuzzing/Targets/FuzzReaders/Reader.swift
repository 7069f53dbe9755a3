import BadgeEngine
import Glibc
import RoundelBus
import SystemPackage

@testable import BadgeService
@testable import DBus
@testable import WebDAVWire

/// A reader of bytes that others wrote. Each checks beside its own traps that what was taken is what is promised of it.
enum Reader: String {
    case message
    case uri
    case keyFile = "key-file"
    case stateFile = "state-file"
    case multistatus

    func read(_ bytes: UnsafeRawBufferPointer) {
        switch self {
        case .message: Self.readMessage(bytes)
        case .uri: Self.readURI(bytes)
        case .keyFile: Self.readKeyFile(bytes)
        case .stateFile: Self.readStateFile(bytes)
        case .multistatus: Self.readMultistatus(bytes)
        }
    }

    /// libdbus checks the message, the reader trusts what it lets pass.
    private static func readMessage(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= 16, let message = try? MessageHeader.demarshal(bytes) else { return }
        guard let values = try? message.arguments() else { return }
        precondition(values.map(\.signature.rawValue).joined() == message.signature.rawValue)
        var reader = message.reader
        for value in values {
            if let strings = value.strings {
                precondition((try? reader.readStringArray()) == strings)
            } else if let bytes = value.bytes {
                precondition((try? reader.readBytes()) == bytes)
            } else {
                reader.skip()
            }
        }
        do { try reader.expectEnd() } catch { preconditionFailure("\(error)") }
        // What does not fit is refused, whatever it is.
        reader = message.reader
        _ = try? reader.readVariantMap()
        _ = try? reader.readStringArray()
        _ = try? reader.readBytes()
        _ = try? reader.readFixedArray(of: UInt32.self)
        _ = try? reader.readFixedArray(of: Double.self)
        try? reader.forEachString { precondition(isPermittedText($0)) }
        _ = try? reader.readString()
    }

    private static func readURI(_ bytes: UnsafeRawBufferPointer) {
        let text = bytes.bindMemory(to: UInt8.self)
        if let item = try? ItemURI(validating: text) {
            precondition((try? ItemURI(item.uri)) == item)
            precondition((try? ItemURI(path: item.filePath)) == item)
            precondition(item.filePath.isAbsolute && item.filePath.isLexicallyNormal)
            if let parent = item.parent, let name = item.name {
                precondition(parent.appending(name) == item && item.isBelow(parent))
            }
        }
        if let name = try? ItemName(validating: text) {
            precondition((try? ItemName(name.encoded)) == name)
            precondition((try? ItemName(bytes: name.bytes)) == name)
            precondition(!name.bytes.contains(0) && !name.bytes.contains(0x2F))
        }
    }

    /// As a manifest is read.
    private static func readKeyFile(_ bytes: UnsafeRawBufferPointer) {
        let file = KeyFile(parsing: String(decoding: bytes, as: UTF8.self))
        _ = file.localized("Name", in: "Provider", locales: ["de_AT", "de"])
        for key in ["Name", "Icon", "Rules"] { _ = file.string(key, in: "Provider") }
        _ = file.list("Folders", in: "Provider")
        guard bytes.count < 1 << 16 else { return }
        let place = scratch.appending("roundel/providers")
        write(bytes, to: place.appending("sync.provider"))
        let found = ManifestFolders(data: [scratch], locales: ["de_AT", "de"]).load()
        precondition(found.manifests.count + found.problems.count == 1)
        precondition(found.manifests.allSatisfy { ManifestFolders.isBusName($0.busName) && $0.icon.isIconName })
    }

    private static func readStateFile(_ bytes: UnsafeRawBufferPointer) {
        write(bytes, to: scratch.appending("providers"))
        let file = StateFile(folder: scratch)
        // What is no text at all is set aside.
        guard let state = try? file.load() else { return }
        do {
            try file.save(state)
            let again = try file.load()
            precondition(again == state)
        } catch { preconditionFailure("\(error)") }
    }

    /// However it arrives, the same is read.
    private static func readMultistatus(_ bytes: UnsafeRawBufferPointer) {
        let size = Int(bytes.first ?? 0) % 32 + 1
        let text = Array(bytes.dropFirst())
        precondition(listing(text, inParts: size) == listing(text, inParts: .max))
    }

    private static func listing(_ text: [UInt8], inParts size: Int) -> [MultistatusResponse]? {
        let wanted: Set<PropertyName> = [.resourceType, .entityTag, .length, .modified]
        guard let parser = MultistatusParser(wanted: wanted) else { return nil }
        var items: [MultistatusResponse] = []
        var rest = text[...]
        do {
            while !rest.isEmpty {
                items += try parser.read(rest.prefix(size))
                rest = rest.dropFirst(size)
            }
            items += try parser.finish()
        } catch { return nil }
        for item in items { _ = (item.isCollection, item.entityTag, item.length, item.modified(year: 2026)) }
        return items
    }

    // MARK: Files

    /// A directory of this process, in memory where there is one.
    private static let scratch: FilePath = {
        let parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        let place = FilePath("\(parent)/roundel-fuzz-\(getpid())")
        for path in [place, place.appending("roundel"), place.appending("roundel/providers")] {
            precondition(mkdir(path.string, 0o700) == 0, "cannot make \(path)")
        }
        atexit { Reader.removeScratch() }
        return place
    }()

    private static func removeScratch() {
        for path in ["roundel/providers/sync.provider", "providers"] { unlink(scratch.appending(path).string) }
        for path in ["roundel/providers", "roundel", ""] { rmdir(scratch.appending(path).string) }
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to path: FilePath) {
        do {
            let file = try FileDescriptor.open(
                path, .writeOnly, options: [.create, .truncate], permissions: .ownerReadWrite)
            defer { try? file.close() }
            try file.writeAll(bytes)
        } catch { preconditionFailure("\(path): \(error)") }
    }
}
