/// What is brought to servers: many small files, and a large one.
struct SourceFiles {
    static let smallSize = 4 << 10

    let path: String
    /// How many small ones.
    let count: Int

    var small: String { path + "/small" }
    var large: String { path + "/large" }

    /// - Parameter large: How many bytes the large one has; it is called `big`.
    init(_ directory: TemporaryDirectory, files count: Int, large: Int) throws {
        path = try directory.directory("source")
        self.count = count
        for name in ["small", "large"] { _ = try directory.directory("source/" + name) }
        _ = try Child.output([
            "sh", "-c",
            """
            head -c \(count * Self.smallSize) /dev/urandom | split -b \(Self.smallSize) -a 3 -d - "$1/small/f"
            head -c \(large) /dev/urandom > "$1/large/big"
            # Some wait with a file that has just been written.
            find "$1" -type f -exec touch -d '1 hour ago' {} +
            """, "source", path,
        ])
    }

    /// A copy of files with their times, which nobody else has; its path.
    func copy(_ files: String, to path: String) throws -> String {
        _ = try Child.output(["cp", "-a", files, path])
        return path
    }
}
