import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import Setup

/// What setup ends, it ends for good before it goes on, and it ends nothing else.
@Suite struct RunningProcessTests {
    /// A shell that has come as far as the script's word "ready", and the process that it is.
    private func start(_ script: String) throws -> (program: RunningProgram, process: RunningProcess) {
        let program = try RunningProgram(
            ["bash", "-c", script], environment: RunningProgram.inheritedEnvironment)
        #expect(try program.line() == "ready")
        return (program, try #require(RunningProcess.all().first { $0.process == program.identifier }))
    }

    @Test func aProgramThatTakesItsTimeIsWaitedFor() throws {
        let (program, process) = try start("trap 'sleep 0.3; exit 7' TERM; echo ready; while :; do sleep 0.01; done")
        #expect(RunningProcess.end([process], within: .seconds(240)).isEmpty)
        #expect(try program.wait() == 7)
    }

    @Test func aProgramThatDoesNotEndIsNamed() throws {
        let (program, process) = try start("trap '' TERM; echo ready; while :; do sleep 0.01; done")
        #expect(RunningProcess.end([process], within: .milliseconds(100)) == [process])
        #expect(program.isRunning)
    }

    @Test func aProcessThatRunsAnotherProgramByNowIsLeftAlone() throws {
        // Signals that wait are taken by their numbers, and that of SIGTERM is the lower one.
        let (program, process) = try start(
            "trap 'echo ended; exit' TERM; trap 'echo alive' WINCH; echo ready; while :; do sleep 0.01; done")
        let former = RunningProcess(process: process.process, program: "/usr/lib/another-program")
        #expect(RunningProcess.end([former], within: .seconds(240)).isEmpty)
        program.signal(SIGWINCH)
        #expect(try program.line() == "alive")
    }
}
