internal import AsyncHTTPClient
internal import Foundation
internal import NIOCore
internal import NIOHTTP1
internal import Support
package import SyncEngine
package import SystemPackage

/// Runs rclone and sends it requests: one `rclone rcd` on this computer for all folders, started on demand, restarted
/// if it dies, and stopped when it is idle.
///
/// It accepts requests only with a password, which is passed in its environment and created for each run.
package actor RcloneService {
    /// A running instance.
    private struct Running: Sendable {
        var process: RcloneProcess
        var address: String
        /// The `Authorization` header.
        var authorization: String
    }

    /// Where files in transit between this computer and a remote are kept.
    package nonisolated let spool: Spool
    nonisolated let limits: RcloneLimits
    private let program: String
    private let inherited: [String: String]
    private nonisolated let client: HTTPClient
    private var starting: Task<Running, any Error>?
    private var calls = 0
    private var ending: Task<Void, Never>?
    /// For a program that cannot be started; one that has died is restarted at once.
    private var backOff = BackOff()
    private var notBefore: Instant?
    private var bandwidth = RcloneBandwidth()
    /// The limits that were last set in the current run.
    private var told = BandwidthLimits.none
    private var telling: Task<Void, Never>?

    /// A service that has not started rclone yet.
    ///
    /// - Parameters:
    ///   - directory: For files in transit; used by no one else, and its present contents are deleted.
    ///   - floor: How much space they must leave free on the file system.
    ///   - program: Looked up in `PATH`.
    ///   - environment: The environment of this process.
    package init(
        spoolingIn directory: FilePath, leaving floor: FreeSpaceFloor = FreeSpaceFloor(), program: String = "rclone",
        environment: [String: String] = ProcessInfo.processInfo.environment, limits: RcloneLimits = RcloneLimits()
    ) {
        spool = Spool(directory, leaving: floor)
        self.limits = limits
        self.program = program
        inherited = environment
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 32
        configuration.connectionPool.retryConnectionEstablishment = false
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    deinit {
        ending?.cancel()
        Task { [client, starting] in
            try? await client.shutdown()
            if let starting, let running = try? await starting.value { running.process.end() }
        }
    }

    /// The names of the remotes that the user has configured.
    package nonisolated func remotes() async throws(RcloneFailure) -> [String] {
        let names: RcloneNames = try await ask("config/listremotes", [:], within: limits.answer)
        return names.remotes.sorted()
    }

    /// The names of the remotes that the user has configured, each with the computer to which it leads by SFTP.
    nonisolated func sftpHosts() async throws(RcloneFailure) -> [String: SFTPHost?] {
        let configured: [String: ConfiguredRemote] = try await ask("config/dump", [:], within: limits.answer)
        // The settings have no remotes that are set by variables alone.
        let others = try await remotes().map { ($0, SFTPHost?.none) }
        return configured.mapValues(\.host).merging(others) { host, _ in host }
    }

    /// The process id, while it runs.
    package var child: Int32? {
        get async { (try? await starting?.value)?.process.child }
    }

    // MARK: Asking

    /// Sends a request that changes nothing: if rclone dies during it, it is sent again.
    nonisolated func ask<Answer: Decodable & Sendable>(
        _ command: String, _ input: [String: RcloneValue], within time: Duration
    ) async throws(RcloneFailure) -> Answer {
        do throws(RcloneFailure) {
            return try await call(command, input, within: time)
        } catch {
            guard error.reason == .ended else { throw error }
            return try await call(command, input, within: time)
        }
    }

    /// Sends a request to rclone; what it does ends with the request, for example when its task is cancelled.
    ///
    /// - Parameter time: The limit for the whole request; nil for a transfer, which the caller watches.
    nonisolated func call<Answer: Decodable & Sendable>(
        _ command: String, _ input: [String: RcloneValue], within time: Duration?
    ) async throws(RcloneFailure) -> Answer {
        let running = try await begin()
        let result: Result<Answer, RcloneFailure>
        do {
            let work: @Sendable () async throws -> Answer = { [self] in try await send(command, input, to: running) }
            result = .success(time == nil ? try await work() : try await Deadline.run(time ?? .zero, work))
        } catch {
            result = .failure(Self.failure(error))
        }
        if case .failure(let failure) = result, failure.reason == .ended { await running.process.waitForEnd() }
        await end()
        return try result.get()
    }

    private static func failure(_ error: any Error) -> RcloneFailure {
        switch error {
        case let failure as RcloneFailure: failure
        case is Deadline.Passed: RcloneFailure(.silent)
        case is CancellationError: RcloneFailure(.cancelled)
        case is DecodingError, is EncodingError: RcloneFailure(.malformed)
        case let error as HTTPClientError where error == .cancelled: RcloneFailure(.cancelled)
        case is NIOTooManyBytesError: RcloneFailure(.malformed)
        default: RcloneFailure(.ended)
        }
    }

    private nonisolated func send<Answer: Decodable & Sendable>(
        _ command: String, _ input: [String: RcloneValue], to running: Running
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: running.address + command)
        request.method = .POST
        request.headers.add(name: "Authorization", value: running.authorization)
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = .bytes(ByteBuffer(bytes: try JSONEncoder().encode(input)))
        let response = try await client.execute(request, deadline: .distantFuture)
        let body = try await response.body.collect(upTo: limits.largestAnswer)
        let status = Int(response.status.code)
        guard status == 200 else {
            let said = try? JSONDecoder().decode(RcloneRefusal.self, from: Data(body.readableBytesView))
            throw RcloneFailure(status: status, error: said?.error ?? "", asked: input.values.flatMap(\.texts))
        }
        return try JSONDecoder().decode(Answer.self, from: Data(body.readableBytesView))
    }

    // MARK: Bandwidth

    /// Adds a transfer with a limit in bytes per second, nil for unlimited; returns its number once rclone has the new
    /// limits.
    func beginTransfer(_ direction: TransferDirection, limit: UInt64?) async -> UInt64 {
        let number = bandwidth.begin(direction, limit: limit)
        await tellBandwidth()?.value
        return number
    }

    /// Changes the limit of a transfer.
    func changeTransfer(_ number: UInt64, to limit: UInt64?) {
        bandwidth.change(number, to: limit)
        _ = tellBandwidth()
    }

    /// A transfer has ended.
    func endTransfer(_ number: UInt64) {
        bandwidth.end(number)
        _ = tellBandwidth()
    }

    /// Starts sending the current limits to rclone; nil if it has them. After a failure, the next check of a transfer
    /// tries again.
    private func tellBandwidth() -> Task<Void, Never>? {
        if let telling { return telling }
        guard bandwidth.limits != told else { return nil }
        let task = Task {
            // One after the other, so that the last one sent applies.
            while bandwidth.limits != told, await tell(bandwidth.limits) {}
            telling = nil
        }
        telling = task
        return task
    }

    private func tell(_ limits: BandwidthLimits) async -> Bool {
        guard starting != nil || limits != .none else {
            // A newly started rclone has no limits.
            told = .none
            return true
        }
        guard let running = try? await begin() else { return false }
        let answer = try? await Deadline.run(self.limits.telling) { [self] () async throws -> RcloneNothing in
            try await send("core/bwlimit", ["rate": .text(RcloneBandwidth.rate(limits))], to: running)
        }
        if answer != nil { told = limits }
        end()
        return answer != nil
    }

    // MARK: The program

    private func begin() async throws(RcloneFailure) -> Running {
        calls += 1
        ending?.cancel()
        ending = nil
        do {
            if let starting, let running = try? await starting.value, running.process.hasEnded {
                // Another call may have done this first.
                if self.starting == starting { self.starting = nil }
            }
            let task = try starting ?? start()
            starting = task
            do {
                return try await task.value
            } catch {
                if starting == task {
                    starting = nil
                    notBefore = backOff.stopped(at: .now)
                }
                throw error
            }
        } catch {
            end()
            throw Self.failure(error)
        }
    }

    private func start() throws -> Task<Running, any Error> {
        if let notBefore, .now < notBefore { throw RcloneFailure(.notStarted) }
        notBefore = nil
        told = .none
        let password = RandomName.identifier()
        let process = RcloneProcess(words, environment: environment(password))
        backOff.started(at: .now)
        let authorization = "Basic " + Data("\(Self.user):\(password)".utf8).base64EncodedString()
        return Task { [limits] in
            do {
                let address = try await Deadline.run(limits.start) { try await process.address() }
                return Running(process: process, address: address, authorization: authorization)
            } catch {
                process.end()
                throw error is Deadline.Passed ? RcloneFailure(.notStarted) : error
            }
        }
    }

    private func end() {
        calls -= 1
        guard calls == 0, starting != nil else { return }
        ending = Task { [weak self, limits] in
            try? await Task.sleep(for: limits.idle, clock: .continuous)
            if !Task.isCancelled { await self?.endIdle() }
        }
    }

    private func endIdle() async {
        guard calls == 0, let task = starting else { return }
        starting = nil
        if let running = try? await task.value { running.process.end() }
    }

    private static let user = "roundel"

    private var words: [String] {
        [
            program, "rcd", "--rc-addr=127.0.0.1:0", "--rc-server-read-timeout=8760h",
            "--rc-server-write-timeout=8760h", "--rc-job-expire-duration=10s",
            // A prompt on a terminal would never be answered.
            "--ask-password=false",
            // Equal size and time do not mean equal contents.
            "--ignore-times",
            // An arriving file is read while it grows.
            "--local-no-preallocate", "--multi-thread-streams=0",
            // Modification times of objects that would need a request each.
            "--use-server-modtime",
            // Documents without contents until they are converted.
            "--drive-skip-gdocs",
            "--fs-cache-expire-duration=24h", "--contimeout=30s",
        ]
    }

    /// The environment of the program. Of the variables that set rclone's own options, only those about its
    /// configuration are kept: a filter, for example, would hide files, which would count as deleted.
    private func environment(_ password: String) -> [String] {
        let kept = inherited.filter { name, _ in
            !name.hasPrefix("RCLONE_") || name.hasPrefix("RCLONE_CONFIG") || name == "RCLONE_PASSWORD_COMMAND"
        }
        return kept.map { "\($0)=\($1)" } + ["RCLONE_RC_USER=\(Self.user)", "RCLONE_RC_PASS=\(password)"]
    }
}
