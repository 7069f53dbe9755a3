import SyncCore
import SyncEngine

/// A file that is nowhere but in memory.
final class MemorySource: ContentSource {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var size: Int64 { Int64(bytes.count) }
    var stored: Int64 { size }
    var modified: Int64 { 0 }
    var permissions: Permissions? { nil }
    func settle() async {}
    func linked() async -> LinkedFile? { nil }
    func passHole() async throws(EffectFailure) -> Int64 { 0 }

    func read(into buffer: UnsafeMutableRawBufferPointer) async throws(EffectFailure) -> Int {
        let part = bytes[position...].prefix(buffer.count)
        buffer.copyBytes(from: part)
        position += part.count
        return part.count
    }

    func finish() async throws(EffectFailure) -> Version { Version(identity: .none, tag: .none, size: size) }
}
