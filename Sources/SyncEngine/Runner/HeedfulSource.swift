import SyncCore

/// A source that is read from one side and written to the other, which reports at each moment which of the two sides is
/// being waited for.
final class HeedfulSource: ContentSource {
    private let source: any ContentSource
    private let side: Side
    private let other: Side
    private let turn: (Side) -> Void
    /// The bytes of a skipped hole that were not returned yet.
    private var hole: Int64 = 0

    /// Hashing the zeros of a hole takes time too, during which no side is called. So a hole is returned in parts of at
    /// most this size.
    private static let largestHole: Int64 = 64 << 20

    /// - Parameters:
    ///   - side: The side that is read.
    ///   - other: The side that is waited for between two parts; the same side if the contents are only hashed.
    ///   - turn: Called with the side that is waited for from now on.
    init(_ source: any ContentSource, of side: Side, for other: Side, turn: @escaping (Side) -> Void) {
        self.source = source
        self.side = side
        self.other = other
        self.turn = turn
    }

    var size: Int64 { source.size }
    var stored: Int64 { source.stored }
    var modified: Int64 { source.modified }
    var permissions: Permissions? { source.permissions }

    func settle() async {
        turn(side)
        defer { turn(other) }
        await source.settle()
    }

    func linked() async -> LinkedFile? {
        turn(side)
        defer { turn(other) }
        return await source.linked()
    }

    var origin: TransferOrigin? { source.origin }

    func skip(to start: Int64) {
        source.skip(to: start)
        // The destination calls this while it checks the contents it already has, so it has just read more of them.
        turn(other)
    }

    func add(skipped bytes: UnsafeRawBufferPointer) { source.add(skipped: bytes) }

    func beginReading() async throws(EffectFailure) -> Int64 {
        try await waiting { () async throws(EffectFailure) in try await source.beginReading() }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) async throws(EffectFailure) -> Int {
        try await waiting { () async throws(EffectFailure) in try await source.read(into: buffer) }
    }

    func passHole() async throws(EffectFailure) -> Int64 {
        if hole == 0 {
            hole = try await waiting { () async throws(EffectFailure) in try await source.passHole() }
        } else {
            turn(other)
        }
        let part = min(hole, Self.largestHole)
        hole -= part
        return part
    }

    func hash() async throws(EffectFailure) -> ContentHash? {
        try await waiting { () async throws(EffectFailure) in try await source.hash() }
    }

    func require(_ hash: ContentHash) throws(EffectFailure) { try source.require(hash) }

    func finish() async throws(EffectFailure) -> Version {
        try await waiting { () async throws(EffectFailure) in try await source.finish() }
    }

    private func waiting<Answer>(
        _ body: () async throws(EffectFailure) -> Answer
    ) async throws(EffectFailure) -> Answer {
        turn(side)
        defer { turn(other) }
        return try await body()
    }
}
