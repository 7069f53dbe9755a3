import Testing

@testable import Launching

@Suite struct PortalRequestTests {
    @Test("The object of a request is named by its caller and its token")
    func handle() {
        let handle = PortalRequest.handle(of: ":1.42", "token")
        #expect(handle == "/org/freedesktop/portal/desktop/request/1_42/token")
    }

    @Test("What a portal answers")
    func answers() {
        #expect(PortalRequest.answer(code: 0, uris: ["file:///a"]) == .chosen(["file:///a"]))
        #expect(PortalRequest.answer(code: 0, uris: []) == .cancelled)
        #expect(PortalRequest.answer(code: 1, uris: ["file:///a"]) == .cancelled)
        // GTK's dialog is closed so by Escape.
        #expect(PortalRequest.answer(code: 2, uris: []) == .cancelled)
        guard case .failed = PortalRequest.answer(code: 3, uris: []) else {
            Issue.record("what no portal should answer is a failure")
            return
        }
    }

    @Test("A portal that is started by the request is waited for; one that goes ends it")
    func owner() {
        var request = PortalRequest(handle: "/")
        let owners: [String?] = [nil, ":1.1", ":1.1", nil, ":1.2"]
        let ends = owners.map { request.ownerChanged(to: $0) != nil }
        #expect(ends == [false, false, false, true, true])
    }
}
