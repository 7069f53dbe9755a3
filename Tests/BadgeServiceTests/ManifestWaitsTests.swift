import Testing

@testable import BadgeService

/// Who waits for the manifests, and in which order the calls go on.
@Suite struct ManifestWaitsTests {
    /// Adds the calls; the names of those that need a reading end in its number.
    private func waits(_ calls: [(caller: String, name: String, reading: Int?)], _ called: Called) -> ManifestWaits {
        var waits = ManifestWaits()
        for call in calls { waits.add({ called.names.append(call.name) }, of: call.caller, needing: call.reading) }
        return waits
    }

    private final class Called {
        var names: [String] = []
    }

    @Test func theCallsOfOneCallerKeepTheirOrder() {
        let called = Called()
        var waits = waits(
            [("a", "register 1", 1), ("a", "folders", nil), ("a", "list 2", 2), ("a", "update", nil)], called)
        for body in waits.release(upTo: 0) { body() }
        #expect(called.names.isEmpty && waits.isWaiting("a"))
        for body in waits.release(upTo: 1) { body() }
        #expect(called.names == ["register 1", "folders"] && waits.isWaiting("a"))
        for body in waits.release(upTo: 2) { body() }
        #expect(called.names == ["register 1", "folders", "list 2", "update"])
        #expect(!waits.isWaiting("a") && waits.isEmpty)
    }

    @Test func oneThatAsksForReadingAfterReadingDelaysNobodyElse() {
        let called = Called()
        var waits = waits(
            [("a", "a 1", 1), ("b", "b 2", 2), ("a", "a", nil), ("b", "b", nil), ("c", "c 1", 1)], called)
        #expect(!waits.isWaiting("d"))
        for body in waits.release(upTo: 1) { body() }
        #expect(called.names == ["a 1", "a", "c 1"])
        #expect(!waits.isWaiting("a") && waits.isWaiting("b") && !waits.isWaiting("c"))
    }
}
