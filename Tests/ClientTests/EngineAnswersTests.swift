import DBus
import Testing

@testable import Client
@testable import RoundelBus

/// What becomes of the answers of several engines.
@Suite struct EngineAnswersTests {
    private static let other = Engine(
        id: "other", name: "Other", address: EngineAddress(busName: "org.other.Other", object: "/other"))
    private static let missing = DBusError(.serviceUnknown, "The name \(Names.worker) was not provided")
    private static let refusal = DBusError(RoundelError(.failed, "It broke."))

    @Test("A worker that does not run is an error only where nobody else answers")
    func missingWorker() throws {
        let answers = try EngineAnswers([(.bundled, .failure(Self.missing)), (Self.other, .success(1))])
        #expect(answers.answers == [1] && answers.failures.isEmpty && answers.unable.isEmpty)
        #expect(throws: DBusError.self) { try EngineAnswers<Int>([(.bundled, .failure(Self.missing))]) }
        let cannot = ClientError.engineCannot(engine: "Other")
        #expect(throws: Self.missing) {
            try EngineAnswers<Int>([(.bundled, .failure(Self.missing)), (Self.other, .failure(cannot))])
        }
    }

    @Test("An engine that fails hides no answer of another, and its error is kept")
    func failures() throws {
        let answers = try EngineAnswers([(.bundled, .success(1)), (Self.other, .failure(Self.refusal))])
        #expect(answers.answers == [1] && answers.failures.map { $0 as? DBusError } == [Self.refusal])
        let unable = try EngineAnswers([
            (.bundled, .success(1)), (Self.other, .failure(ClientError.engineCannot(engine: "Other"))),
        ])
        #expect(unable.failures.isEmpty && unable.unable.count == 1)
        #expect(throws: Self.refusal) { try EngineAnswers<Int>([(Self.other, .failure(Self.refusal))]) }
    }

    @Test("Errors of the bus about another engine are put into words; the bundled one's are told as they are")
    func words() async {
        let unknown = DBusError(.unknownMethod, "No such method")
        await #expect(throws: ClientError.engineCannot(engine: "Other")) {
            try await Self.other.answering { throw unknown }
        }
        await #expect(throws: ClientError.engineSilent(engine: "Other")) {
            try await Self.other.answering { throw DBusError(.noReply, "No reply") }
        }
        await #expect(throws: Self.refusal) { try await Self.other.answering { throw Self.refusal } }
        await #expect(throws: unknown) { try await Engine.bundled.answering { throw unknown } }
    }

    @Test("Runs of several engines add up, with the worst state of all")
    func sums() {
        var (first, second) = (SyncRunResult(), SyncRunResult())
        (first.uploaded, first.state, first.steps) = (1, .synced, [])
        (second.uploaded, second.conflicts, second.state) = (2, 1, .conflict)
        second.needs = WireWord(.conflicts)
        let sum = SyncRunResult(sumOf: [first, second])
        #expect(sum.uploaded == 3 && sum.conflicts == 1 && sum.state == .conflict && sum.steps == [])
        #expect(sum.needs?.known == .conflicts)
        #expect(SyncRunResult(sumOf: [first]) == first)
    }

    @Test("The answer of an engine replaces what was known of its own folders alone")
    func statuses() throws {
        var report = StatusReport([])
        func answer(_ uris: String...) -> FoldersProxy.StatusReport {
            .init(folders: uris.map { SyncFolderStatus(id: $0, uri: $0, state: .synced) }, isWatching: false)
        }
        report.take(answer("file:///a", "file:///b"))
        report.isWatching = true
        report.take(answer("file:///c"), of: Self.other)
        report.take(answer("file:///b"))
        #expect(report.folders.map(\.uri.uri) == ["file:///b", "file:///c"])
        report.isWatching = true
        report.take(answer("file:///c"), of: Self.other)
        #expect(report.isWatching == true)
        #expect(report.retain(engines: []) && !report.retain(engines: []))
        #expect(report.folders.map(\.uri.uri) == ["file:///b"])
    }
}
