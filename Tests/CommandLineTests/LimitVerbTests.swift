import DBus
import RoundelBus
import StandInServices
import SystemPackage
import TestSupport
import Testing

@testable import roundel

/// `roundel limit`, with a worker that the test plays. One after the other, because each waits for a program.
@Suite(.serialized) struct LimitVerbTests {
    let bus: PrivateBus
    let directory: TemporaryDirectory

    init() throws {
        bus = try PrivateBus()
        directory = try TemporaryDirectory()
    }

    var here: String { "file://\(directory.path)" }

    func roundel(_ arguments: String...) throws -> RunningProgram.Outcome {
        try Program.run(
            ["limit"] + arguments, directory: directory.path.string,
            environment: bus.environment.merging(["TZ": "UTC"]) { $1 })
    }

    private func worker(_ use: SyncNetworkUse = SyncNetworkUse(), isHeld: Bool = false) async throws -> StandInWorker {
        var report = SyncNetworkReport(id: "f1", uri: "\(here)/x", use: use)
        (report.upNow, report.downNow, report.isHeld) = (500_000, 0, isHeld)
        report.changes = use.periods.isEmpty ? nil : 1_000_000_000_000_000
        return try await StandInWorker(on: bus, ["NetworkUse": .values([.maps([report.map])])])
    }

    /// What the worker was told to set last; nil if nothing.
    private func set(_ worker: StandInWorker) -> VariantMap? {
        worker.calls.last { $0.first == .string("SetNetworkUse") }?.dropFirst(2).first?.map
    }

    private static let office = SyncNetworkUse.Period(
        from: 480, until: 1_080, days: ["mon", "tue", "wed", "thu", "fri"], up: 500_000)

    @Test func withoutOptionsItShowsWhatHoldsAndSetsNothing() async throws {
        var use = SyncNetworkUse()
        (use.down, use.periods) = (2_000_000, [Self.office])
        let worker = try await worker(use)
        let shown = try roundel("x")
        #expect(shown.status == 0 && set(worker) == nil)
        #expect(
            shown.output == """
                \(directory.path)/x: 500 kB/s up, no limit down, until 2001-09-09 01:46.
                  mon-fri    08:00-18:00  500 kB/s up  down as otherwise
                  otherwise               no limit up      2.0 MB/s down
                On a metered connection it waits.

                """)
        let json = try roundel("x", "--json")
        #expect(
            json.output == #"{"uri":"\#(here)/x","path":"\#(directory.path)/x","up":0,"down":2000000,"periods":["#
                + #"{"from":"08:00","until":"18:00","days":["mon","tue","wed","thu","fri"],"up":500000,"down":null}],"#
                + #""metered":false,"up_now":500000,"down_now":0,"changes":"2001-09-09T01:46:40Z","held":false}"# + "\n"
        )
        #expect(worker.calls.allSatisfy { $0[1] == .string("\(here)/x") })
    }

    @Test func whatIsNotNamedStaysAsItIs() async throws {
        var use = SyncNetworkUse()
        (use.up, use.down, use.periods, use.isAllowedOnMetered) = (100_000, 200_000, [Self.office], true)
        let worker = try await worker(use, isHeld: true)
        let shown = try roundel("x", "--up", "1.5M")
        #expect(shown.status == 0 && shown.output.contains("It syncs on a metered connection as well."))
        use.up = 1_500_000
        #expect(set(worker) == use.map)
    }

    @Test func hoursGetLimitsOfTheirOwnAndThoseSetLastComeFirst() async throws {
        var use = SyncNetworkUse()
        use.periods = [Self.office]
        let worker = try await worker(use)
        #expect(try roundel("x", "--down", "2M", "--between", "22:00-6", "--on", "sat,sun").status == 0)
        use.periods.insert(.init(from: 1_320, until: 360, days: ["sat", "sun"], down: 2_000_000), at: 0)
        #expect(set(worker) == use.map)
    }

    @Test func theSameHoursAreSetAgainAndNotTwice() async throws {
        var use = SyncNetworkUse()
        use.periods = [.init(from: 0, until: 60), Self.office]
        let worker = try await worker(use)
        #expect(try roundel("x", "--down", "0", "--between", "08:00-18:00", "--on", "mon-fri").status == 0)
        use.periods = [Self.office, use.periods[0]]
        use.periods[0].down = 0
        #expect(set(worker) == use.map)
    }

    @Test func noneRemovesTheLimitsOfHoursOrAllAndLeavesTheRest() async throws {
        var use = SyncNetworkUse()
        (use.up, use.periods, use.isAllowedOnMetered) = (100_000, [Self.office, .init(from: 0, until: 60)], true)
        let worker = try await worker(use)
        #expect(try roundel("x", "--none", "--between", "8-18", "--on", "mon-fri").status == 0)
        use.periods.removeFirst()
        #expect(set(worker) == use.map)
        let missing = try roundel("x", "--none", "--between", "8-18")
        #expect(missing.status == 1 && missing.errors.contains("No limits are set for these hours and days."))
        #expect(try roundel("x", "--none", "--metered", "wait").status == 0)
        #expect(set(worker) == SyncNetworkUse().map)
    }

    @Test(arguments: [
        ["--up", "fast"], ["--up", "-1"], ["--up", "1.2345M"], ["--down", "99999999999G"], ["--on", "mon"],
        ["--between", "8-18"], ["--none", "--up", "1M"], ["--up", "1M", "--between", "8-8"],
        ["--up", "1M", "--between", "24:00-8"], ["--up", "1M", "--between", "8:60-9"],
        ["--up", "1M", "--between", "8-18", "--on", "monday"], ["--metered", "perhaps"],
    ])
    func whatMakesNoSenseIsWrongUsage(options: [String]) async throws {
        let worker = try await worker()
        let refused = try Program.run(
            ["limit", "x"] + options, directory: directory.path.string, environment: bus.environment)
        #expect(refused.status == 64 && !refused.errors.isEmpty)
        #expect(worker.calls.isEmpty)
    }

    @Test func aRefusalOfTheWorkerIsSaid() async throws {
        let worker = try await worker()
        worker.answer("SetNetworkUse", .error("InvalidLimit", "A limit is 0 for none."))
        let refused = try roundel("x", "--up", "5")
        #expect(refused.status == 1 && refused.errors == "roundel: A limit is 0 for none.\n")
    }

    // MARK: Arguments

    @Test(arguments: [
        ("0", 0), ("500k", 500_000), ("500 kB/s", 500_000), ("1.5M", 1_500_000), ("1.005m", 1_005_000),
        ("20000", 20_000),
        ("1G", 1_000_000_000), ("7B", 7), ("18446744073709551615", UInt64.max),
    ])
    func ratesAreDecimal(text: String, bytes: UInt64) { #expect(RateArgument(text)?.bytes == bytes) }

    @Test(arguments: ["", "k", ".", "1.", ".5", "1e3", "1Ki", "1 000", "١", "18446744073709551616", "99999999999G"])
    func whatIsNoRateIsNone(text: String) { #expect(RateArgument(text) == nil) }

    @Test(arguments: [
        ("08:00-18:00", 480, 1_080), ("8-18", 480, 1_080), ("22:30-6", 1_350, 360), ("0-24:00", 0, 1_440),
        ("12:00-00:00", 720, 1_440), ("00:00-00:00", 0, 1_440),
    ])
    func hoursAreMinutes(text: String, from: UInt32, until: UInt32) throws {
        let hours = try #require(HoursArgument(text))
        #expect(hours.from == from && hours.until == until)
        #expect(HoursArgument(HoursArgument.text(from, until)) == hours)
    }

    @Test(arguments: ["", "8", "8-", "-8", "8-18-20", "25-26", "24-1", "8:5-9", "8:60-9", "8-24:01", "٨-١٨", "8-8:00"])
    func whatAreNoHoursAreNone(text: String) { #expect(HoursArgument(text) == nil) }

    @Test(arguments: [
        ("mon-fri", "mon-fri"), ("Sat,SUN", "sat,sun"), ("fri-mon", "mon,fri-sun"), ("mon,wed,mon", "mon,wed"),
        ("sun", "sun"), ("mon-sun", "mon-sun"),
    ])
    func daysAreThoseOfAWeek(text: String, shown: String) throws {
        let days = try #require(DaysArgument(text))
        #expect(DaysArgument.text(days.days.map(\.rawValue)) == shown)
    }

    @Test(arguments: ["", "mo", "mon-", "mon--fri", "mon-tue-wed", "mon,,tue", "weekdays"])
    func whatAreNoDaysAreNone(text: String) { #expect(DaysArgument(text) == nil) }
}
