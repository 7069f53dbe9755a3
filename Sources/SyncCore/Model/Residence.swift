/// Where the contents of a file are, as its local version says.
///
/// A file without contents is a placeholder: it has the name, size and time of a file of the remote, and its contents
/// are those that the remote held when it was described. It has nothing to lose: what is written to it makes it a file
/// whose contents are here. The local side never gives a placeholder, or a directory that holds one, an excluded name:
/// its contents are fetched before.
package enum Residence: UInt8, Hashable, Sendable, CaseIterable {
    /// On this computer.
    case here = 0
    /// At the remote alone.
    case remoteAlone = 1
}
