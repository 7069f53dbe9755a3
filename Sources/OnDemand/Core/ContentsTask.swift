/// The number of a fetch that the worker was asked for.
package struct FetchNumber: Hashable, Sendable {
    package let rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// Something that the worker wants done with the contents of an item, for which nobody else may use them.
package struct ContentsTask: Hashable, Sendable {
    /// The number of the worker's request.
    package let request: UInt64
    package let node: NodeNumber
    package let kind: Kind

    package enum Kind: Hashable, Sendable {
        /// Contents come in from a file that the worker has written into the folder.
        case fill(Fill)
        /// They go, and a placeholder stays.
        case free(Free)
    }

    package struct Fill: Hashable, Sendable {
        /// The fetch that it ends, if one was asked for.
        package let fetch: FetchNumber?
        /// The file that holds the contents.
        package let staged: NodePath
        /// The version that they are.
        package let version: [UInt8]

        package init(fetch: FetchNumber?, staged: NodePath, version: [UInt8]) {
            self.fetch = fetch
            self.staged = staged
            self.version = version
        }
    }

    package struct Free: Hashable, Sendable {
        /// As the worker saw the file when it compared it with the remote; times in nanoseconds since 1970. It must have
        /// seen it later than `changed` by more than the grain of the file system's clock: what was written within the
        /// same tick has the same times.
        package let size: UInt64
        package let modified: Int64
        package let changed: Int64
        /// The version at the remote that they are equal to.
        package let version: [UInt8]

        package init(size: UInt64, modified: Int64, changed: Int64, version: [UInt8]) {
            self.size = size
            self.modified = modified
            self.changed = changed
            self.version = version
        }
    }

    package init(request: UInt64, node: NodeNumber, kind: Kind) {
        self.request = request
        self.node = node
        self.kind = kind
    }
}
