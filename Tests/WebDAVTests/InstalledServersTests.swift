import Testing

/// Names the servers that are not here: what needs them is not played then.
struct InstalledServersTests {
    @Test(.enabled(if: ServerKind.apache.program != nil, "needs Apache's httpd"))
    func apache() throws { _ = try TestServer(.apache) }

    @Test(.enabled(if: ServerKind.nginx.program != nil, "needs nginx, which packaging/servers.sh brings"))
    func nginx() throws { _ = try TestServer(.nginx) }

    @Test(.enabled(if: ServerKind.wsgidav.program != nil, "needs wsgidav, which packaging/servers.sh brings"))
    func wsgidav() throws { _ = try TestServer(.wsgidav) }

    @Test(.enabled(if: ServerKind.nextcloud.program != nil, "needs Debian's Python"))
    func nextcloud() throws { _ = try TestServer(.nextcloud) }

    @Test(.enabled(if: ServerKind.rclone.program != nil, "needs rclone"))
    func rclone() throws { _ = try TestServer(.rclone) }
}
