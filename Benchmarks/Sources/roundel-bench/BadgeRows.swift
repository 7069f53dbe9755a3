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

    private static func fileName(_ number: Int) -> String {
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
            for _ in 0..<(options.isQuick ? 500 : 3000) {
                ping.append(try host.ping())
                badge.append(try host.request(folder, name))
                echo.append(try host.request(folder, name, from: PEERS_ECHO_NAME))
            }
            pings.append(median(ping))
            badges.append(median(badge))
            echoes.append(median(echo))
            pingRatios.append(median(badge) / median(ping))
            echoRatios.append(median(badge) / median(echo))
        }
        let ratio = median(pingRatios)
        return [
            Row(
                "one badge, round trip p50", target: "at most 1.15 × `Peer.Ping`",
                measured: "\(Format.microseconds(median(badges))), ping \(Format.microseconds(median(pings))): "
                    + "\(Format.ratio(ratio)) × (a C service with the same answer "
                    + "\(Format.microseconds(median(echoes))): \(Format.ratio(median(echoRatios))) ×)",
                isMet: ratio <= 1.15)
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
            for _ in 0..<(options.isQuick ? 10 : 50) {
                warm.append(try host.request(directory, names))
                echo.append(try host.request(directory, names, from: PEERS_ECHO_NAME))
            }
            colds.append(cold)
            warms.append(median(warm))
            echoes.append(median(echo))
            warmRatios.append(median(warm) / median(echo))
            coldRatios.append(cold / median(warm))
        }
        let (warm, cold) = (median(warmRatios), median(coldRatios))
        return [
            Row(
                "10,000 badges of a directory in one call, warm", target: "at most 1.3 × a C service's echo",
                measured: "\(Format.milliseconds(median(warms))), echo \(Format.milliseconds(median(echoes))): "
                    + "\(Format.ratio(warm)) ×", isMet: warm <= 1.3),
            Row(
                "the same, cold: the provider is asked", target: "at most 3 × warm",
                measured: "\(Format.milliseconds(median(colds))): \(Format.ratio(cold)) ×", isMet: cold <= 3),
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
            for _ in 0..<(options.isQuick ? 10 : 40) {
                // From rest, and after the pause in which further changes of a directory go together.
                rest(milliseconds: 70)
                try provider.send([UInt8(ascii: "c")])
                change.append(Double(try host.awaitChange("file://" + folder) - provider.receiveTime()))
                rest(milliseconds: 70)
                try provider.send([UInt8(ascii: "m")])
                message.append(Double(try host.awaitChange("relayed") - provider.receiveTime()))
            }
            changes.append(median(change))
            messages.append(median(message))
            ratios.append(median(change) / median(message))
        }
        let ratio = median(ratios)
        return [
            Row(
                "state change at the provider → signal at the host, p50", target: "at most 2 × two one-way messages",
                measured: "\(Format.microseconds(median(changes))), messages "
                    + "\(Format.microseconds(median(messages))): \(Format.ratio(ratio)) ×", isMet: ratio <= 2)
        ]
    }
}

/// A folder on a mount that never answers, next to one that does.
enum SilentMountRow {
    static func measure(_ options: Options) throws -> [Row] {
        let session = try Session(options)
        let folder = try session.directory.directory("folder")
        let mount = try session.directory.directory("mount")
        try session.startService()
        let provider = try session.startProvider(folders: [folder, mount], watches: true)
        defer { withExtendedLifetime((session, provider)) {} }
        let host = try session.host()
        try host.observe(folder)
        let name = NameColumn(["file"])
        let before = try sample(host, folder, name, options)
        let device = peers_mount_silent(mount)
        guard device >= 0 else { throw Failure("a FUSE file system cannot be mounted here") }
        defer {
            close(device)
            peers_unmount(mount)
        }
        let stranger = try session.host()
        try host.check(peers_observe_unanswered(stranger.bus, "file://" + mount))
        try host.check(peers_observe_unanswered(stranger.bus, "file://" + mount + "/below"))
        rest(milliseconds: 500)
        let during = try sample(host, folder, name, options)
        let ratio = median(during) / median(before)
        let worst = quantile(during, 0.99) / quantile(before, 0.99)
        return [
            Row(
                "one folder on a mount that never answers", target: "badge latency elsewhere unchanged",
                measured: "p50 \(Format.ratio(ratio)) ×, p99 \(Format.ratio(worst)) × that without",
                isMet: ratio <= 1.1 && worst <= 1.5)
        ]
    }

    private static func sample(
        _ host: Host, _ folder: String, _ name: NameColumn, _ options: Options
    ) throws -> [Double] {
        for _ in 0..<200 { _ = try host.request(folder, name) }
        return try (0..<(options.isQuick ? 1000 : 10_000)).map { _ in try host.request(folder, name) }
    }
}
