package import MountProtocol

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
        case free(FreedFile)
        /// A placeholder stands for another version.
        case describe(DescribedFile)
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

    package init(request: UInt64, node: NodeNumber, kind: Kind) {
        self.request = request
        self.node = node
        self.kind = kind
    }
}
