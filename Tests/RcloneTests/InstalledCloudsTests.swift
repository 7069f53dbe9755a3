import Testing

/// Names the servers that are not here: what needs them is not played then.
@Suite(.enabled(if: CloudKind.areInstalled, "needs rclone"))
struct InstalledCloudsTests {
    @Test(.enabled(if: CloudKind.ssh.program != nil, "needs OpenSSH's server, which packaging/servers.sh brings"))
    func ssh() async throws { _ = try await TestCloud(.ssh) }

    @Test(.enabled(if: CloudKind.s3.program != nil, "needs moto, which packaging/servers.sh brings"))
    func s3() async throws { _ = try await TestCloud(.s3) }
}
