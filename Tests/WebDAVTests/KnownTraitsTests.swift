import SyncCore
import Testing

@testable import WebDAV

/// What is learnt of a server while it is used.
@Suite struct KnownTraitsTests {
    private static let (mebi, gibi): (Int64, Int64) = (1 << 20, 1 << 30)

    @Test("Requests that are too large become smaller, down to what is no limit any more")
    func bodies() {
        let known = KnownTraits(ServerTraits())
        #expect(known.largestBody == nil)
        #expect(known.noteTooLarge(16 * Self.mebi, of: 40 * Self.mebi))
        #expect(known.largestBody == 4 * Self.mebi)
        // Another request was on its way.
        #expect(known.noteTooLarge(16 * Self.mebi, of: 40 * Self.mebi))
        #expect(known.largestBody == 4 * Self.mebi)
        #expect(known.noteTooLarge(4 * Self.mebi, of: 40 * Self.mebi))
        #expect(known.noteTooLarge(Self.mebi, of: 40 * Self.mebi))
        #expect(!known.noteTooLarge(Self.mebi / 4 - 4, of: 40 * Self.mebi))
        #expect(known.largestBody == Self.mebi / 4)
    }

    @Test("A file of which no more than 10,000 chunks would be small enough is not sent again and again")
    func tooManyChunks() {
        let known = KnownTraits(ServerTraits())
        let size = 200 * Self.gibi
        let sent = ChunkedUpload.length(16 * Self.mebi, of: size)
        #expect(sent > 16 * Self.mebi)
        #expect(!known.noteTooLarge(sent, of: size))
        // It is no reason to send others in tiny chunks.
        #expect(known.largestBody == nil)
        // Somewhat smaller ones are tried once.
        let other = 50 * Self.gibi
        #expect(known.noteTooLarge(16 * Self.mebi, of: other))
        let next = ChunkedUpload.length(4 * Self.mebi, of: other)
        #expect(next > 4 * Self.mebi)
        #expect(!known.noteTooLarge(next, of: other))
        #expect(known.largestBody == 4 * Self.mebi)
    }

    @Test("A kind of condition that is refused leaves the others")
    func conditions() {
        for kind in [ConditionKind.write, .move, .target] {
            var traits = ServerTraits()
            (traits.honoursMatch, traits.honoursMatchInMoves, traits.honoursMatchOfTarget) = (true, true, true)
            let known = KnownTraits(traits)
            known.noteRefused(kind)
            #expect(known.current.names.count == 2)
        }
    }
}
