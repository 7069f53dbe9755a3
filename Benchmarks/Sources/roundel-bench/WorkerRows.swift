internal import CPeers
internal import Glibc

/// The sync worker with a directory as the remote.
enum WorkerRows {
    /// What rounds took, in nanoseconds, beside the peer.
    private struct Times {
        var own: [Double] = []
        var peer: [Double] = []

        var ratios: [Double] { zip(own, peer).map { $0 / $1 } }

        /// Measures both, the peer first if told so.
        mutating func add(peerFirst: Bool, _ measureOwn: () throws -> Double, peer measurePeer: () throws -> Double)
            throws
        {
            if peerFirst { peer.append(try measurePeer()) }
            own.append(try measureOwn())
            if !peerFirst { peer.append(try measurePeer()) }
        }
    }

    static func trees(_ options: Options) throws -> [Row] {
        let session = try Session(options)
        let source = try session.directory.directory("source")
        try makeTree(source, files: options.isQuick ? 1000 : 10_000, large: options.isQuick ? 1 : 5)
        let expected = try Files.count(in: source)
        try session.startService()
        let worker = try session.startWorker()
        let host = try session.host()
        var (first, second) = (Times(), Times())
        for round in 0..<options.rounds {
            let copy = try session.directory.directory("copy-\(round)")
            let remote = try session.directory.directory("remote-\(round)")
            var folder: Folder?
            // Neither pays for what is not written back yet, of the source or of the round before.
            try first.add(peerFirst: round % 2 == 0) {
                sync()
                let added = try Folder(host, source, remote)
                folder = added
                return added.elapsed
            } peer: {
                sync()
                return try Child.time(["sh", "-c", "rsync -a \"$1/\" \"$2\" && sync -f \"$2\"", "peer", source, copy])
            }
            guard let folder, try Files.count(in: remote) >= expected else {
                throw Failure("the worker has not copied everything")
            }
            for turn in 0..<4 {
                try second.add(peerFirst: turn % 2 == 0) {
                    try folder.sync()
                } peer: {
                    try Child.time(["rsync", "-a", source + "/", copy])
                }
            }
            // What was copied stays until all rounds are over: ext4 gives no inode anew in the first seconds after its
            // file was removed, and whoever makes files then pays for the search.
            if round + 1 < options.rounds { try folder.remove() }
        }
        rest(milliseconds: 1000)
        return rows(options, first, second, ProcessFacts(identifier: worker.identifier))
    }

    private static func rows(_ options: Options, _ first: Times, _ second: Times, _ facts: ProcessFacts) -> [Row] {
        let tree = options.isQuick ? "1,000 small files + 100 MiB" : "10,000 small files + 5 × 100 MiB"
        let memory = facts.memory
        return [
            Row(
                "worker, \(tree), to a directory, durable", target: "at most 1.0 × `rsync -a` and `sync -f`",
                measured: "\(Format.seconds(median(first.own))), rsync \(Format.seconds(median(first.peer))): "
                    + Format.ratios(first.ratios), how: "in turns, `sync` before each, \(options.rounds) rounds",
                isMet: median(first.ratios) <= 1.0, figures: [Figure(first.own, beside: first.peer)]),
            Row(
                "worker, nothing changed, same tree, worker running", target: "at most 1.2 × `rsync -a`",
                measured: "\(Format.milliseconds(median(second.own))), rsync "
                    + "\(Format.milliseconds(median(second.peer))): \(Format.ratios(second.ratios))",
                how: "in turns, \(second.own.count) pairs", isMet: median(second.ratios) <= 1.2,
                figures: [Figure(second.own, beside: second.peer)]),
            Row(
                "worker memory (PSS) at \(options.isQuick ? "1,000" : "10,000") files", target: "at most 64 MiB",
                measured: "\(Format.mebibytes(memory)), anonymous \(Format.mebibytes(facts.anonymousMemory))",
                how: "once, after these rows", isMet: memory <= 64 * 1024,
                figures: [Figure([memory], in: .kibibytes)]),
        ]
    }

    /// Small files of 1 to 4 KiB in 100 directories, and large ones of 100 MiB.
    static func makeTree(_ path: String, files: Int, large: Int) throws {
        var generator = SystemRandomNumberGenerator()
        for directory in 0..<100 {
            mkdir("\(path)/d\(directory)", 0o700)
            for file in 0..<(files / 100) {
                let size = Int.random(in: 1024...4096, using: &generator)
                let bytes = (0..<(size / 8)).flatMap { _ in
                    withUnsafeBytes(of: generator.next()) { Array($0) }
                }
                try Files.write(bytes, to: "\(path)/d\(directory)/f\(file)")
            }
        }
        for number in 0..<large {
            _ = try Child.output(["dd", "if=/dev/urandom", "of=\(path)/large-\(number)", "bs=1M", "count=100"])
        }
    }
}

/// A synced folder; made with its first sync.
struct Folder {
    private let host: Host
    private let id: String
    /// How long it took from AddFolder until everything was at the remote, in nanoseconds.
    let elapsed: Double

    init(_ host: Host, _ source: String, _ remote: String) throws {
        self.host = host
        var buffer = [CChar](repeating: 0, count: 256)
        let start = now()
        try host.check(peers_add_folder(host.bus, "file://" + source, remote, &buffer, buffer.count))
        try host.check(peers_sync(host.bus, buffer))
        elapsed = Double(now() - start)
        id = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    func sync() throws -> Double {
        let start = now()
        try host.check(peers_sync(host.bus, id))
        return Double(now() - start)
    }

    func remove() throws { try host.check(peers_remove_folder(host.bus, id)) }
}
