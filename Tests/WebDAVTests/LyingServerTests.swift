import RemoteSupport
import SyncCore
import SyncEngine
import SystemPackage
import TestSupport
import Testing

@testable import WebDAV

/// What a folder makes of answers that are not so.
@Suite(.serialized, .enabled(if: ServerKind.nextcloud.program != nil, "needs Debian's Python"))
struct LyingServerTests {
    /// What a server says that is not so; the requests are carried out.
    struct Lie: CustomTestStringConvertible, Sendable {
        var method: String
        /// JSON.
        var told: String

        var testDescription: String { "\(method): \(told)" }

        private static func lies(_ method: String, _ told: [String]) -> [Lie] {
            told.map { Lie(method: method, told: $0) }
        }

        private static func statuses(_ method: String, _ statuses: [Int]) -> [Lie] {
            lies(method, statuses.map { #""status": \#($0)"# })
        }

        static let all =
            statuses("PROPFIND", [200, 404, 412, 423, 502])
            + lies(
                "PROPFIND",
                [
                    #""body": """#, #""body": "<html><body>Hello</body></html>""#,
                    #""body": "<d:multistatus xmlns:d=\"DAV:\"/>""#, #""replace": {"</d:multistatus>": ""}"#,
                    #""replace": {"/remote.php/dav/files/": "/elsewhere/"}"#,
                    #""replace": {"</d:getcontentlength>": "0</d:getcontentlength>"}"#,
                    #""replace": {"&quot;": ""}"#, #""replace": {"d:getetag": "d:noetag"}"#,
                    #""replace": {"<d:collection/>": ""}"#,
                ])
            + statuses("GET", [204, 206, 301, 403, 404, 412, 500, 502])
            + lies(
                "GET",
                [
                    #""headers": {"ETag": null, "OC-ETag": null}"#, #""headers": {"ETag": "\"other\""}"#,
                    #""headers": {"OC-Checksum": "MD5:00000000000000000000000000000000"}"#,
                ])
            + statuses("PUT", [202, 207, 403, 404, 409, 412, 413, 423, 500, 502, 507])
            + lies(
                "PUT",
                [
                    #""headers": {"ETag": null, "OC-ETag": null}"#,
                    #""headers": {"ETag": "\"other\"", "OC-ETag": "\"other\""}"#,
                    #""headers": {"OC-FileId": "00000000other"}"#,
                ])
            + statuses("MOVE", [207, 403, 404, 409, 412, 423, 500, 502])
            + statuses("DELETE", [207, 403, 404, 412, 423, 500, 502])
            + statuses("MKCOL", [403, 405, 409, 423, 500, 502])
    }

    @Test("Whatever a server says that is not so, nothing is lost, and what is not synced is told", arguments: Lie.all)
    func lie(_ lie: Lie) async throws {
        try await QuirkScene.play { scene in
            try await scene.begin()
            try await scene.change()
            let (here, there) = (try scene.here(), try scene.there())
            try scene.control.set(#"{"lying": {"method": "\#(lie.method)", \#(lie.told)}}"#)
            for _ in 0..<2 { try await scene.folder.syncAll() }
            QuirkScene.expectNothingLost(try scene.here(), from: here, to: QuirkScene.wanted)
            QuirkScene.expectNothingLost(try scene.there(), from: there, to: QuirkScene.wanted)
            let isDone =
                try FileTree.differences(scene.here(), QuirkScene.wanted).isEmpty
                && FileTree.differences(scene.there(), QuirkScene.wanted).isEmpty
            if !isDone {
                try await scene.folder.waitForStatus {
                    $0.phase != .idle || $0.counts.errors + $0.counts.pending > 0 || $0.state == .error
                }
            }
            try scene.control.set(#"{"lying": null}"#)
            scene.client.resume()
            try await scene.expectBoth(QuirkScene.wanted)
            #expect(scene.folder.status?.counts.errors == 0)
        }
    }
}
