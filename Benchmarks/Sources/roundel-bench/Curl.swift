/// curl, which does nothing but move files: what the worker is measured beside where there is a server.
struct Curl {
    /// As many as the worker opens to a server.
    static let connections = 8

    let server: BenchServer
    var version = BenchServer.Version.one
    /// The file that is to say what is moved.
    let settings: String

    /// One way of a file.
    private enum Way { case up, down }

    /// The command that uploads the files of a directory to a collection.
    func upload(_ directory: String, to address: String) throws -> [String] {
        try command(.up, Files.names(in: directory), directory, address)
    }

    /// The command that downloads files of a collection into a directory.
    func download(_ names: [String], from address: String, into directory: String) throws -> [String] {
        try command(.down, names, directory, address)
    }

    private func command(_ way: Way, _ names: [String], _ directory: String, _ address: String) throws -> [String] {
        let transfers = names.sorted().map { name in
            let (file, url) = ("\(directory)/\(name)", "url = \"\(address)/\(name)\"\n")
            return switch way {
            case .up: "upload-file = \"\(file)\"\n\(url)output = /dev/null\n"
            case .down: "\(url)output = \"\(file)\"\n"
            }
        }
        try Files.write(Array(transfers.joined().utf8), to: settings)
        // Each has a connection of its own, instead of a stream of one, where the server would let it be that; and sends a
        // file without asking first whether it may, which takes a round trip in HTTP/1.1.
        let options = ["--parallel", "--parallel-immediate", "--parallel-max", "\(Self.connections)", "-H", "Expect:"]
        return server.curl(options + ["-K", settings], over: version)
    }
}
