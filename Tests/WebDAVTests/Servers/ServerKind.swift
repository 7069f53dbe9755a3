import Glibc
import Testing

/// A server that people run, and how it is started for a test.
enum ServerKind: String, CaseIterable, CustomTestStringConvertible {
    case apache, nginx, wsgidav, rclone, nextcloud

    var testDescription: String { rawValue }

    /// Where its program is; nil where it is not installed.
    var program: String? {
        let places =
            switch self {
            case .apache: ["/usr/sbin/apache2"]
            case .nginx: [Self.fetched.map { $0 + "/nginx/usr/sbin/nginx" }]
            case .wsgidav: [Self.fetched.map { $0 + "/wsgidav/bin/wsgidav" }]
            case .rclone: ["/usr/bin/rclone"]
            // Ours, which behaves as one.
            case .nextcloud: ["/usr/bin/python3"]
            }
        return places.compactMap { $0 }.first { access($0, X_OK) == 0 }
    }

    /// Where `packaging/servers.sh` brought those that are not installed for the whole system.
    private static var fetched: String? { getenv("ROUNDEL_SERVERS").map { String(cString: $0) } }

    /// Those that are here.
    static var installed: [ServerKind] { allCases.filter { $0.program != nil } }

    /// Where the folder begins on the server.
    var path: String {
        switch self {
        case .apache, .nginx, .wsgidav, .rclone: "/"
        case .nextcloud: "/remote.php/dav/files/\(TestServer.user)/"
        }
    }

    /// The settings and the arguments with which it serves the folder `files` of its directory on a port. It is patient, and
    /// so are its clients: on a busy machine a test pauses in the middle of a request.
    func setUp(in directory: String, port: UInt16) -> (settings: [String: String], arguments: [String]) {
        switch self {
        case .apache:
            (Self.apache(directory, port), ["-d", directory, "-f", directory + "/httpd.conf", "-DFOREGROUND"])
        case .nginx: (Self.nginx(directory, port), ["-p", directory, "-c", directory + "/nginx.conf", "-e", "stderr"])
        case .wsgidav: (Self.wsgidav(directory, port), ["--config", directory + "/wsgidav.yaml"])
        case .rclone:
            (
                [:],
                [
                    "serve", "webdav", directory + "/files", "--addr", "127.0.0.1:\(port)", "--user", TestServer.user,
                    "--pass", TestServer.password, "--etag-hash", "MD5", "--config", directory + "/none",
                ]
            )
        case .nextcloud:
            (
                ["password": TestServer.password],
                [
                    Self.nextcloudProgram, "--files", directory + "/files", "--address", "127.0.0.1:\(port)", "--user",
                    TestServer.user, "--password-file", directory + "/password",
                ]
            )
        }
    }

    private static let nextcloudProgram =
        "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/Nextcloud/server.py"

    /// The line of a password file: the SHA-1 of the password.
    private static let account = TestServer.user + ":{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=\n"

    private static func apache(_ directory: String, _ port: UInt16) -> [String: String] {
        let modules = [
            "mpm_event", "authn_core", "authn_file", "authz_core", "authz_user", "auth_basic", "dav", "dav_fs",
            "dav_lock",
        ].map { "LoadModule \($0)_module /usr/lib/apache2/modules/mod_\($0).so" }.joined(separator: "\n")
        return [
            "accounts": account,
            "httpd.conf": """
            \(modules)
            ServerName localhost
            Timeout 600
            KeepAliveTimeout 600
            Listen 127.0.0.1:\(port)
            PidFile \(directory)/pid
            ErrorLog \(directory)/log
            CustomLog \(directory)/requests "%m %U"
            DocumentRoot \(directory)/files
            DavLockDB \(directory)/locks
            \(getuid() == 0 ? "User www-data\nGroup www-data" : "")
            <Directory \(directory)/files>
              Dav On
              AuthType Basic
              AuthName test
              AuthUserFile \(directory)/accounts
              Require valid-user
            </Directory>

            """,
        ]
    }

    private static func nginx(_ directory: String, _ port: UInt16) -> [String: String] {
        let module = (fetched ?? "") + "/nginx/usr/lib/nginx/modules/ngx_http_dav_ext_module.so"
        return [
            "accounts": account,
            "nginx.conf": """
            load_module \(module);
            daemon off;
            \(getuid() == 0 ? "user www-data;" : "")
            pid \(directory)/pid;
            events {}
            http {
              dav_ext_lock_zone zone=locks:10m;
              access_log off;
              keepalive_timeout 600;
              client_header_timeout 600;
              client_body_timeout 600;
              send_timeout 600;
              client_body_temp_path \(directory)/work;
              proxy_temp_path \(directory)/work;
              fastcgi_temp_path \(directory)/work;
              uwsgi_temp_path \(directory)/work;
              scgi_temp_path \(directory)/work;
              server {
                listen 127.0.0.1:\(port);
                root \(directory)/files;
                client_max_body_size 0;
                location / {
                  auth_basic test;
                  auth_basic_user_file \(directory)/accounts;
                  dav_methods PUT DELETE MKCOL COPY MOVE;
                  dav_ext_methods PROPFIND OPTIONS LOCK UNLOCK;
                  dav_ext_lock zone=locks;
                }
              }
            }

            """,
        ]
    }

    private static func wsgidav(_ directory: String, _ port: UInt16) -> [String: String] {
        [
            "wsgidav.yaml": """
            host: 127.0.0.1
            port: \(port)
            provider_mapping: {"/": "\(directory)/files"}
            http_authenticator: {accept_basic: true, accept_digest: false, default_to_digest: false}
            simple_dc: {user_mapping: {"*": {"\(TestServer.user)": {password: "\(TestServer.password)"}}}}
            property_manager: true
            lock_storage: true
            server_args: {timeout: 600}
            verbose: 1

            """
        ]
    }
}
