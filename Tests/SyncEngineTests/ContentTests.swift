import SyncCore
import Testing

@testable import SyncEngine

@Suite struct ContentTests {
    /// The examples of FIPS 180-4.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func hashesAreThoseOfTheStandard(text: String, expected: String) {
        guard var hasher = ContentHasher() else {
            Issue.record("no SHA-256")
            return
        }
        for byte in text.utf8 {
            withUnsafeBytes(of: byte) { hasher.update($0) }
        }
        let hash = hasher.finish()
        #expect(Token(hash.bytes).description == expected)
    }

    @Test func changesToldDuringARunAreMerged() {
        var pending = PendingChanges()
        let directory = RelativePath(text: "d")
        pending.add(.local, directories: [directory], items: [RelativePath(text: "a")], isOverflow: false)
        pending.add(.local, directories: [directory], items: [RelativePath(text: "d/x")], isOverflow: false)
        pending.add(.remote, directories: [], items: [RelativePath(text: "a")], isOverflow: true)
        let events = pending.take()
        #expect(pending.isEmpty)
        #expect(events.count == 2)
        guard case .changed(.local, [directory], [RelativePath(text: "a")], false) = events[0],
            case .changed(.remote, [], [], true) = events[1]
        else {
            Issue.record("\(events)")
            return
        }
    }
}
