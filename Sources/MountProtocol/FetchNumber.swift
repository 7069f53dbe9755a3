/// The number of a fetch that the worker was asked for.
package struct FetchNumber: Hashable, Sendable {
    package let rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }
}
