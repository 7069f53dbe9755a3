internal import Glibc

/// The worker with many files: 200,000 in 2,000 directories, or as many as `--files` says.
enum ScaleRows {
    static func measure(_ options: Options) throws -> [Row] {
        let tree = try ScaleTree(options)
        let parts: [(ScaleTree) throws -> [Row]] = [
            copies, edits, start, { [try deep($0)] }, { [try sparse($0)] }, { [try hardLinks($0)] }, large,
        ]
        var rows: [Row] = []
        for part in parts {
            let measured: [Row]
            do {
                measured = try part(tree)
            } catch let failure as Failure {
                // The others are measured all the same.
                measured = [
                    Row("a part of it", target: "", measured: "could not be measured: \(failure.text)", how: "")
                ]
            }
            // A run takes long: what is known is said at once.
            for row in measured { report("  \(row.what): \(row.measured)") }
            rows += measured
        }
        return rows
    }

    // MARK: Copies

    private static func copies(_ tree: ScaleTree) throws -> [Row] {
        var peers: [(String, Double)] = []
        // Each beside the others in one run; the worker in the middle, so that the caches are as warm for it as for most.
        for peer in ScalePeer.allCases.prefix(2) {
            if let time = try peer.copy(tree) { peers.append((peer.rawValue, time)) }
        }
        let own = try tree.add()
        for peer in ScalePeer.allCases.dropFirst(2) {
            if let time = try peer.copy(tree) { peers.append((peer.rawValue, time)) }
        }
        let rsync = peers.first { $0.0 == ScalePeer.rsync.rawValue }?.1
        let others = peers.map { "\($0.0) \($0.1 < ScalePeer.patience ? "" : "not done in ")\(Format.seconds($0.1))" }
            .joined(separator: ", ")
        let peak = tree.facts.peak
        return [
            Row(
                "worker, first copy of \(tree.name)", target: "",
                measured: "\(Format.seconds(own)); \(others)", how: "once, in this order, `sync` before each",
                figures: [Figure([own], beside: rsync.map { [$0] } ?? [])]),
            memory("peak memory of the worker at the first copy", peak),
            try unchanged(tree), try changedTenth(tree, hasPeer: rsync != nil),
        ]
    }

    /// - Parameter figure: What is compared with other runs, where the row's own name says too little.
    private static func memory(_ what: String, _ peak: Double, as figure: String? = nil) -> Row {
        Row(
            what, target: "at most 128 MiB", measured: Format.mebibytes(peak), how: "VmHWM, once",
            isMet: peak <= 128 * 1024, figures: [Figure([peak], in: .kibibytes, named: figure ?? what)])
    }

    private static func unchanged(_ tree: ScaleTree) throws -> Row {
        var own: [Double] = []
        var peer: [Double] = []
        for round in 0..<5 {
            if round % 2 == 0 { peer.append(try ScalePeer.rsync.sync(tree)) }
            own.append(try tree.sync())
            if round % 2 == 1 { peer.append(try ScalePeer.rsync.sync(tree)) }
        }
        let ratios = zip(own, peer).map { $0 / $1 }
        return Row(
            "worker, nothing changed in \(tree.name)", target: "at most 1.2 × `rsync -a`",
            measured: "\(Format.seconds(median(own))), rsync \(Format.seconds(median(peer))): \(Format.ratios(ratios))",
            how: "in turns, 5 pairs", isMet: median(ratios) <= 1.2, figures: [Figure(own, beside: peer)])
    }

    /// A tenth of the files is written anew; what the watchers tell is followed at once.
    private static func changedTenth(_ tree: ScaleTree, hasPeer: Bool) throws -> Row {
        sync()
        let start = now()
        try tree.changeTenth()
        let written = now()
        _ = try tree.sync()
        let own = Double(now() - written)
        sync()
        let peer = hasPeer ? try ScalePeer.rsync.sync(tree) : 0
        return Row(
            "worker, a tenth of them changed", target: "",
            measured: "\(Format.seconds(own)) after the last write (all written in "
                + "\(Format.seconds(Double(written - start)))), rsync \(Format.seconds(peer))", how: "once",
            figures: [Figure([own], beside: hasPeer ? [peer] : [])])
    }

    // MARK: Edits

    private static func edits(_ tree: ScaleTree) throws -> [Row] {
        rest(milliseconds: 3000)
        let idle = try (0..<40).map { number in
            rest(milliseconds: 200 + UInt32(number * 37 % 300))
            return try tree.edit(number)
        }
        var scanning: [Double] = []
        for number in 0..<12 {
            let scan = try tree.beginSync()
            rest(milliseconds: 100 + UInt32(number * 83 % 900))
            let time = try tree.edit(1000 + number)
            // One that came after the scan says nothing.
            if !scan.isOver { scanning.append(time) }
            scan.wait()
        }
        return [
            row("edit → on the remote, \(tree.name), p95", idle),
            row(
                "the same during a scan of both sides", scanning, as: "edit → on the remote during a scan, \(tree.name)"
            ),
            try calls(tree),
        ]
    }

    private static func row(_ what: String, _ times: [Double], as figure: String? = nil) -> Row {
        guard !times.isEmpty else {
            return Row(what, target: "at most 0.5 s", measured: "no scan was slow enough", how: "")
        }
        let slow = quantile(times, 0.95)
        return Row(
            what, target: "at most 0.5 s",
            measured: "\(Format.seconds(slow)), p50 \(Format.seconds(median(times))), worst "
                + Format.seconds(times.max() ?? 0), how: "\(times.count) edits, one after the other",
            isMet: slow <= 0.5e9, figures: [Figure(times, named: figure)])
    }

    private static func calls(_ tree: ScaleTree) throws -> Row {
        guard let (local, remote) = try tree.callsOfAnEdit() else {
            return Row("system calls for one edit", target: "at most 60 on either tree", measured: "no strace", how: "")
        }
        return Row(
            "system calls for one edit", target: "at most 60 on either tree",
            measured: "\(local) on the folder, \(remote) on the remote", how: "strace, the median of 5 edits",
            isMet: max(local, remote) <= 60,
            figures: [
                Figure([Double(local)], in: .count, named: "system calls for one edit on the folder"),
                Figure([Double(remote)], in: .count, named: "system calls for one edit on the remote"),
            ])
    }

    // MARK: The start

    private static func start(_ tree: ScaleTree) throws -> [Row] {
        let times = try (0..<3).map { _ in try tree.restart() }
        return [
            Row(
                "first badge after a start with \(tree.name)", target: "at most 2 s",
                measured: Format.spread(times, Format.seconds), how: "\(times.count) starts",
                isMet: median(times) <= 2e9, figures: [Figure(times)])
        ]
    }

    // MARK: Other shapes

    private static func large(_ tree: ScaleTree) throws -> [Row] {
        let path = try tree.other("one")
        for number in 0..<100_000 {
            try Files.write(Array("\(number)".utf8), to: "\(path)/a file with number \(number)")
        }
        try tree.restartFresh()
        let time = try tree.add(path, to: tree.other("one-remote"))
        let first = tree.facts.peak
        try tree.restartFresh()
        let again = try tree.sync(path)
        return [
            memory(
                "peak memory at the first copy of 100,000 files in one directory (\(Format.seconds(time)))", first,
                as: "peak memory, 100,000 files in one directory, first copy"),
            memory(
                "the same when nothing changed (\(Format.seconds(again)))", tree.facts.peak,
                as: "peak memory, 100,000 files in one directory, nothing changed"),
        ]
    }

    private static func deep(_ tree: ScaleTree) throws -> Row {
        let path = try tree.other("deep")
        let below = (0..<40).map { "/level \($0)" }.joined()
        _ = try Child.output(["mkdir", "-p", path + below])
        try Files.write([65], to: path + below + "/file")
        let remote = try tree.other("deep-remote")
        _ = try tree.add(path, to: remote)
        rest(milliseconds: 2000)
        let times = try (0..<10).map { number in
            rest(milliseconds: 300)
            return try ScaleTree.edit(path, remote, below + "/file", number)
        }
        return row("edit → on the remote, 40 levels deep, p95", times)
    }

    private static func sparse(_ tree: ScaleTree) throws -> Row {
        let path = try tree.other("sparse")
        let remote = try tree.other("sparse-remote")
        _ = try Child.output(["truncate", "-s", "20G", path + "/image"])
        _ = try Child.output(
            ["dd", "if=/dev/urandom", "of=\(path)/image", "bs=1M", "count=4", "seek=9000", "conv=notrunc"])
        let time = try tree.add(path, to: remote)
        let (own, copy) = (Files.stored(path + "/image"), Files.stored(remote + "/image"))
        let size = Files.size(remote + "/image")
        return Row(
            "a sparse file of 20 GiB with 4 MiB in it", target: "stays sparse",
            measured: "\(Format.mebibytes(copy)) kept, source \(Format.mebibytes(own)), in \(Format.seconds(time))",
            how: "once", isMet: size == 20 << 30 && copy <= own * 1.1 + 64)
    }

    private static func hardLinks(_ tree: ScaleTree) throws -> Row {
        let path = try tree.other("links")
        let remote = try tree.other("links-remote")
        _ = try Child.output(["dd", "if=/dev/urandom", "of=\(path)/a", "bs=1M", "count=64"])
        guard link(path + "/a", path + "/b") == 0 else { throw Failure("no hard link can be made") }
        let read = try tree.bytesRead(below: path) { _ = try tree.add(path, to: remote) }
        guard let times = read.map({ $0 / Double(64 << 20) }) else {
            return Row("two hard links to one file of 64 MiB", target: "one transfer", measured: "no strace", how: "")
        }
        let isCopied = Files.size(remote + "/a") == 64 << 20 && Files.size(remote + "/b") == 64 << 20
        return Row(
            "two hard links to one file of 64 MiB", target: "one transfer",
            measured: "read \(Format.ratio(times)) times", how: "strace, once", isMet: isCopied && times < 1.5)
    }
}
