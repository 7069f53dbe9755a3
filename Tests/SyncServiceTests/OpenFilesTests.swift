import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import SyncService

/// Which programs are found to work in a folder, by what the kernel tells of all processes.
@Suite struct OpenFilesTests {
    private let files: TemporaryDirectory

    init() throws {
        files = try TemporaryDirectory()
        try files.write("text", to: "Cloud/d/a")
        try files.write("text", to: "Cloud 2/a")
    }

    /// What is found in `Cloud` while a shell has run these words.
    private func found(while words: String, in folder: String = "Cloud") throws -> String? {
        let (process, said, asked) = (Process(), Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "\(words); echo ready; read end"]
        process.currentDirectoryURL = URL(fileURLWithPath: files["."].string)
        (process.standardOutput, process.standardInput) = (said, asked)
        try process.run()
        defer {
            try? asked.fileHandleForWriting.close()
            process.waitUntilExit()
        }
        // It has done what it was told.
        _ = try said.fileHandleForReading.read(upToCount: 1)
        return OpenFiles.program(in: files[folder])
    }

    @Test(
        "D2: A program that has a file of a folder open, or works in it, is named",
        arguments: ["exec 3<Cloud/d/a", "cd Cloud/d", "cd Cloud"])
    func uses(_ words: String) throws {
        let program = try #require(try found(while: words))
        #expect(["sh", "dash", "bash"].contains(program))
    }

    @Test("One that works beside it is not", arguments: ["exec 3<'Cloud 2/a'", "cd 'Cloud 2'", "true"])
    func beside(_ words: String) throws { #expect(try found(while: words) == nil) }

    @Test("A folder that is named by way of a link is the same")
    func link() throws {
        try FileManager.default.createSymbolicLink(
            atPath: files["Link"].string, withDestinationPath: files["Cloud"].string)
        #expect(try found(while: "exec 3<Cloud/d/a", in: "Link") != nil)
    }
}
