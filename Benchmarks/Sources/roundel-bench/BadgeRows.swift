internal import CPeers
internal import Glibc

/// Latencies of badges, all as a C client on sd-bus sees them.
enum BadgeRows {
    /// A session with the service, a provider and a directory of so many files.
    private static func session(_ options: Options, files: Int) throws -> (Session, Child, String) {
        let session = try Session(options)
        let folder = try session.directory.directory("folder")
        for number in 0..<files { try Files.write([], to: folder + "/" + fileName(number)) }
        try session.startEcho()
        try session.startService()
        let provider = try session.startProvider(folders: [folder])
        return (session, provider, folder)
    }

    static func fileName(_ number: Int) -> String {
        let digits = String(number)
        return "file-" + String(repeating: "0", count: 5 - digits.count) + digits + ".txt"
    }

    static func oneBadge(_ options: Options) throws -> [Row] {
        let (session, provider, folder) = try session(options, files: 1)
        defer { withExtendedLifetime((session, provider)) {} }
        let host = try session.host()
        try host.observe(folder)
        let name = NameColumn([fileName(0)])
        _ = try host.request(folder, name)
        guard
            try wait(
                seconds: 5,
                until: {
                    _ = try host.request(folder, name); return host.lastBadged == 1
                })
        else {
            throw Failure("the sample provider's badge did not come")
        }
        var (pings, badges, echoes, pingRatios, echoRatios) = (
            [Double](), [Double](), [Double](), [Double](), [Double]()
        )
        for _ in 0..<options.rounds {
            var (ping, badge, echo) = ([Double](), [Double](), [Double]())
            for turn in 0..<(options.isQuick ? 500 : 3000) {
                try alternating(
                    turn, { ping.append(try host.ping()) }, { badge.append(try host.request(folder, name)) },
                    { echo.append(try host.request(folder, name, from: PEERS_ECHO_NAME)) })
            }
            pings.append(median(ping))
            badges.append(median(badge))
            echoes.append(median(echo))
            pingRatios.append(median(badge) / median(ping))
            echoRatios.append(median(badge) / median(echo))
        }
        let how = "interleaved, \(options.rounds) rounds of \(options.isQuick ? 500 : 3000)"
        return [
            Row(
                "one badge, round trip p50", target: "at most 1.10 × `Peer.Ping`",
                measured: "\(Format.microseconds(median(badges))), ping \(Format.microseconds(median(pings))): "
                    + Format.ratios(pingRatios), how: how, isMet: median(pingRatios) <= 1.10,
                figures: [Figure(badges, beside: pings)]),
            Row(
                "the same beside a C service with the same answer", target: "",
                measured: "\(Format.microseconds(median(echoes))): \(Format.ratios(echoRatios))", how: how,
                figures: [Figure(badges, beside: echoes, named: "one badge beside a C service")]),
        ]
    }

    static func directory(_ options: Options) throws -> [Row] {
        let (session, provider, _) = try session(options, files: 0)
        defer { withExtendedLifetime((session, provider)) {} }
        let host = try session.host()
        let names = NameColumn((0..<10_000).map(fileName))
        var (colds, warms, echoes) = ([Double](), [Double](), [Double]())
        var (warmRatios, coldRatios) = ([Double](), [Double]())
        for round in 0..<options.rounds {
            let directory = try session.directory.directory("folder/\(round)")
            try host.observe(directory)
            let cold = try host.request(directory, names)
            guard host.lastBadged == names.count else { throw Failure("\(host.lastBadged) badges instead of 10,000") }
            var (warm, echo) = ([Double](), [Double]())
            for turn in 0..<(options.isQuick ? 10 : 50) {
                try alternating(
                    turn, { warm.append(try host.request(directory, names)) },
                    { echo.append(try host.request(directory, names, from: PEERS_ECHO_NAME)) })
            }
            colds.append(cold)
            warms.append(median(warm))
            echoes.append(median(echo))
            warmRatios.append(median(warm) / median(echo))
            coldRatios.append(cold / median(warm))
        }
        let how = "interleaved, \(options.rounds) rounds of \(options.isQuick ? 10 : 50)"
        return [
            Row(
                "10,000 badges of a directory in one call, warm", target: "at most 1.15 × a C service's echo",
                measured: "\(Format.milliseconds(median(warms))), echo \(Format.milliseconds(median(echoes))): "
                    + Format.ratios(warmRatios), how: how, isMet: median(warmRatios) <= 1.15,
                figures: [Figure(warms, beside: echoes)]),
            Row(
                "the same, cold: the provider is asked", target: "at most 2 × warm",
                measured: "\(Format.milliseconds(median(colds))): \(Format.ratios(coldRatios))",
                how: "\(options.rounds) directories, once each", isMet: median(coldRatios) <= 2,
                figures: [Figure(colds, beside: warms, named: "10,000 badges of a directory in one call, cold")]),
        ]
    }

    static func stateChange(_ options: Options) throws -> [Row] {
        let (session, provider, folder) = try session(options, files: 1)
        let host = try session.host()
        defer { withExtendedLifetime(session) {} }
        try host.observe(folder)
        _ = try host.request(folder, NameColumn([fileName(0)]))
        try provider.send(Array("h\(try host.uniqueName())\n".utf8))
        var (changes, messages, ratios) = ([Double](), [Double](), [Double]())
        for _ in 0..<options.rounds {
            var (change, message) = ([Double](), [Double]())
            // From rest, and after the pause in which further changes of a directory go together.
            func time(_ order: Unicode.Scalar, _ signal: String) throws -> Double {
                rest(milliseconds: 70)
                try provider.send([UInt8(ascii: order)])
                return Double(try host.awaitChange(signal) - provider.receiveTime())
            }
            for turn in 0..<(options.isQuick ? 10 : 40) {
                try alternating(
                    turn, { change.append(try time("c", "file://" + folder)) },
                    { message.append(try time("m", "relayed")) })
            }
            changes.append(median(change))
            messages.append(median(message))
            ratios.append(median(change) / median(message))
        }
        return [
            Row(
                "state change at the provider → signal at the host, p50", target: "at most 1.5 × two one-way messages",
                measured: "\(Format.microseconds(median(changes))), messages "
                    + "\(Format.microseconds(median(messages))): \(Format.ratios(ratios))",
                how: "interleaved, both from rest, \(options.rounds) rounds of \(options.isQuick ? 10 : 40)",
                isMet: median(ratios) <= 1.5, figures: [Figure(changes, beside: messages)])
        ]
    }

    /// Does all of them, in the opposite order each second time.
    private static func alternating(_ turn: Int, _ steps: (() throws -> Void)...) throws {
        for step in turn % 2 == 0 ? steps : steps.reversed() { try step() }
    }
}
