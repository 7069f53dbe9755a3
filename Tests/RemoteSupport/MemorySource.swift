package import SyncCore
package import SyncEngine

/// A file that is nowhere but in memory.
package final class MemorySource: ContentSource {
    private let bytes: [UInt8]
    private var position = 0

    /// The file that it is taken for; nil if it is none.
    package let origin: TransferOrigin?

    /// A source of these bytes.
    package init(_ bytes: [UInt8], of origin: TransferOrigin? = nil, modified: Int64 = 0) {
        self.bytes = bytes
        self.modified = modified
        self.origin = origin
    }

    package var size: Int64 { Int64(bytes.count) }
    package var stored: Int64 { size }
    package let modified: Int64
    package var permissions: Permissions? { nil }
    package func settle() async {}
    package func linked() async -> LinkedFile? { nil }
    package func passHole() async throws(EffectFailure) -> Int64 { 0 }

    package func read(into buffer: UnsafeMutableRawBufferPointer) async throws(EffectFailure) -> Int {
        let part = bytes[position...].prefix(buffer.count)
        buffer.copyBytes(from: part)
        position += part.count
        return part.count
    }

    package func finish() async throws(EffectFailure) -> Version { Version(identity: .none, tag: .none, size: size) }
}
