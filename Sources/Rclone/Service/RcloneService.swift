internal import AsyncHTTPClient
internal import Foundation
internal import NIOCore
internal import NIOHTTP1
internal import Support
package import SyncEngine
package import SystemPackage

/// rclone as this program asks it: one `rclone rcd` on this computer for all folders, started when it is needed, started
/// again when it has died, ended when nobody asks it any more.
///
/// It takes requests from whoever knows a password that it gets by its environment alone, made anew for each run.
package actor RcloneService {
    /// A run of it.
    private struct Running: Sendable {
        var process: RcloneProcess
        var address: String
        /// For the header of that name.
        var authorization: String
    }

    /// Where what moves between this computer and a remote is kept meanwhile.
    package nonisolated let spool: Spool
    nonisolated let limits: RcloneLimits
    private let program: String
    private let inherited: [String: String]
    private nonisolated let client: HTTPClient
    private var starting: Task<Running, any Error>?
    private var calls = 0
    private var ending: Task<Void, Never>?
    /// Of a program that cannot be started; one that has died is started again at once.
    private var backOff = BackOff()
    private var notBefore: Instant?
    private var bandwidth = RcloneBandwidth()
    /// The limits that the present run was told last.
    private var told = BandwidthLimits.none
    private var telling: Task<Void, Never>?

    /// rclone, which is not started yet.
    ///
    /// - Parameters:
    ///   - directory: For what moves; nobody else's, and nothing is in it that is still needed.
    ///   - floor: What that leaves free on its file system.
    ///   - program: Found along the path.
    ///   - environment: Of this process.
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

    /// The names of the remotes that the person has configured.
    package nonisolated func remotes() async throws(RcloneFailure) -> [String] {
        let names: RcloneNames = try await ask("config/listremotes", [:], within: limits.answer)
        return names.remotes.sorted()
    }

    /// The number of the process, while it runs.
    package var child: Int32? {
        get async { (try? await starting?.value)?.process.child }
    }

    // MARK: Asking

    /// Asks something that changes nothing: if rclone dies over it, it is asked once more.
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

    /// Has rclone do something; what it does ends with the request, as when its task is cancelled.
    ///
    /// - Parameter time: For all of it; nil for a transfer, which its caller watches.
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

    /// A transfer is about to begin, that may take so many bytes a second; nil for as many as go. Returns its number, when
    /// rclone knows.
    func beginTransfer(_ direction: TransferDirection, limit: UInt64?) async -> UInt64 {
        let number = bandwidth.begin(direction, limit: limit)
        await tellBandwidth()?.value
        return number
    }

    /// A transfer may take another number of bytes from now on.
    func changeTransfer(_ number: UInt64, to limit: UInt64?) {
        bandwidth.change(number, to: limit)
        _ = tellBandwidth()
    }

    /// A transfer has ended.
    func endTransfer(_ number: UInt64) {
        bandwidth.end(number)
        _ = tellBandwidth()
    }

    /// Begins to tell rclone the limits that hold now; nil if it knows them. What fails is told again with the next look at
    /// a transfer.
    private func tellBandwidth() -> Task<Void, Never>? {
        if let telling { return telling }
        guard bandwidth.limits != told else { return nil }
        let task = Task {
            // One after the other, so that what is told last holds.
            while bandwidth.limits != told, await tell(bandwidth.limits) {}
            telling = nil
        }
        telling = task
        return task
    }

    private func tell(_ limits: BandwidthLimits) async -> Bool {
        guard starting != nil || limits != .none else {
            // One that is started has none.
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
                // Others may have come here first.
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
            // A question on a terminal would never be answered.
            "--ask-password=false",
            // Equal size and time are not equal contents.
            "--ignore-times",
            // A file that arrives is read while it grows.
            "--local-no-preallocate", "--multi-thread-streams=0",
            // Times of objects that need a request for each.
            "--use-server-modtime",
            // Documents that have no contents until they are converted.
            "--drive-skip-gdocs",
            "--fs-cache-expire-duration=24h", "--contimeout=30s",
        ]
    }

    /// The variables of the program. Of those that set options of rclone itself only what leads to the configuration
    /// stays: a filter among them would hide files, which would count as deleted.
    private func environment(_ password: String) -> [String] {
        let kept = inherited.filter { name, _ in
            !name.hasPrefix("RCLONE_") || name.hasPrefix("RCLONE_CONFIG") || name == "RCLONE_PASSWORD_COMMAND"
        }
        return kept.map { "\($0)=\($1)" } + ["RCLONE_RC_USER=\(Self.user)", "RCLONE_RC_PASS=\(password)"]
    }
}
