import Support
import TestSupport
import Testing

@testable import OnDemand

@Suite("Who gets contents")
struct FetchPolicyTests {
    private static let now = Instant(nanoseconds: 10)
    private static let (node, other) = (NodeNumber(rawValue: 7), NodeNumber(rawValue: 8))

    private static func caller(
        _ program: String, _ arguments: [String] = [], thread: Int32 = 11, process: Int32 = 10, threadName: String = "",
        ancestors: [Int32] = [2],
        leavesNoTrace: Bool = false
    ) -> FetchCaller {
        FetchCaller(
            thread: thread, process: process, threadName: threadName, executable: Array("/usr/bin/\(program)".utf8),
            arguments: arguments.map { Array($0.utf8) }, ancestors: ancestors, leavesNoTrace: leavesNoTrace)
    }

    @Test(
        "programs that people use",
        arguments: [
            caller("cat"), caller("nautilus"), caller("dolphin"),
            caller("pcmanfm-qt", threadName: "Fm::JobThread"), caller("gwenview", threadName: "Thread (pooled)"),
            caller("kioworker", ["kioworker", "file.so", "file"]),
            caller("python3.11", ["python3", "-u", "/home/ada/count.py", "/home/ada/thumbnail.png"]),
            caller("shotwell", ["shotwell", "/x/thumbnails"]), caller("cp", ["cp", "thumbnailer", "x"]),
        ])
    func permitted(caller: FetchCaller) {
        var policy = FetchPolicy()
        expectEqual(policy.permits(caller, of: Self.node, now: Self.now), true)
    }

    @Test(
        "programs that look at whatever is shown",
        arguments: [
            caller("cat", leavesNoTrace: true), caller("tumblerd"), caller("gdk-pixbuf-thumbnailer"),
            caller("totem-video-thumbnailer"), caller("ffmpegthumbnailer"), caller("baloo_file_extractor"),
            caller("tracker-extract-3"), caller("localsearch-extractor-3"),
            caller("kioslave5", ["kioslave5", "/usr/lib/x/thumbnail.so", "thumbnail", "local:/x"]),
            caller("dolphin", thread: 10, process: 10),
            caller("pcmanfm-qt", threadName: "Thread (pooled)"),
            caller("python3.11", ["/usr/bin/python3", "/usr/bin/gnome-thumbnailer", "x"]),
        ])
    func refused(caller: FetchCaller) {
        var policy = FetchPolicy()
        expectEqual(policy.permits(caller, of: Self.node, now: Self.now), false)
    }

    @Test("PCManFM-Qt reads how a script begins to draw it, and a picture behind the desktop because it was told to")
    func scripts() {
        var policy = FetchPolicy()
        func permits(_ caller: FetchCaller, isRunnable: Bool) -> Bool {
            policy.permits(caller, of: Self.node, isRunnable: isRunnable, now: Self.now)
        }
        let (drawing, copying) = (Self.caller("pcmanfm-qt", thread: 10), Self.caller("pcmanfm-qt"))
        expectEqual(FetchPolicy.needsPermissions(drawing), true)
        expectEqual(permits(drawing, isRunnable: true), false)
        expectEqual(permits(drawing, isRunnable: false), true)
        expectEqual(permits(copying, isRunnable: true), true)
        expectEqual(permits(Self.caller("bash", thread: 10), isRunnable: true), true)
    }

    @Test("Nemo draws what its thumbnailer could not: it is refused that item once, and nothing else")
    func suspicion() {
        var policy = FetchPolicy()
        let later = Self.now + Patience.Mount.suspicion
        func refuseThumbnailer() {
            let thumbnailer = Self.caller("x-thumbnailer", process: 30, ancestors: [20, 10])
            expectEqual(policy.permits(thumbnailer, of: Self.node, now: Self.now), false)
        }
        expectEqual(policy.permits(Self.caller("nemo"), of: Self.node, now: Self.now), true)
        refuseThumbnailer()
        expectEqual(policy.permits(Self.caller("nemo"), of: Self.other, now: Self.now), true)
        expectEqual(policy.permits(Self.caller("nemo", process: 12), of: Self.node, now: Self.now), true)
        expectEqual(policy.permits(Self.caller("nemo"), of: Self.node, now: Self.now), false)
        expectEqual(policy.permits(Self.caller("nemo"), of: Self.node, now: Self.now), true)
        refuseThumbnailer()
        expectEqual(policy.permits(Self.caller("nautilus"), of: Self.node, now: Self.now), true)
        expectEqual(policy.permits(Self.caller("nemo"), of: Self.node, now: later), true)
    }
}

@Suite("Signals of who waits for contents")
struct PendingSignalsTests {
    private static func status(_ own: UInt64, _ shared: UInt64 = 0, blocked: UInt64 = 0) -> String {
        func text(_ bits: UInt64) -> String { String(bits, radix: 16) }
        return "Name:\tcat\nSigQ:\t1/7\nSigPnd:\t\(text(own))\nShdPnd:\t\(text(shared))\nSigBlk:\t\(text(blocked))\n"
    }

    private static func bit(_ signal: UInt64) -> UInt64 { 1 << (signal - 1) }

    @Test("the wait ends for signals that mean the program, and for none at all")
    func end() {
        for signal in [1, 2, 9, 10, 14, 15, 32, 64] as [UInt64] {
            #expect(PendingSignals.verdict(status: Self.status(0, Self.bit(signal))) == .end)
            #expect(PendingSignals.verdict(status: Self.status(Self.bit(signal) | Self.bit(17))) == .end)
        }
        #expect(PendingSignals.verdict(status: Self.status(0)) == .end)
        #expect(PendingSignals.verdict(status: nil) == .end)
        #expect(PendingSignals.verdict(status: "nonsense") == .end)
    }

    @Test("it goes on for signals that only tell something")
    func goOn() {
        for signal in [17, 18, 20, 23, 27, 28] as [UInt64] {
            #expect(PendingSignals.verdict(status: Self.status(0, Self.bit(signal))) == .goOn)
        }
        let (child, interrupt) = (Self.bit(17), Self.bit(2))
        #expect(PendingSignals.verdict(status: Self.status(child | interrupt, blocked: interrupt)) == .goOn)
    }
}
