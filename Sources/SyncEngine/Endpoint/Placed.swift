package import SyncCore

/// The result of an effect that placed or changed something.
package struct Placed: Hashable, Sendable {
    /// The version that is there now.
    package var version: Version
    /// What could not be kept; nil if everything could.
    package var remark: Explanation?

    /// A result with the version that is there now.
    package init(_ version: Version, remark: Explanation? = nil) {
        self.version = version
        self.remark = remark
    }

    /// The result in the session's terms.
    var result: EffectResult { EffectResult.wrote(version).lacking(remark) }
}

extension EffectResult {
    /// The same result with what could not be kept; nil if everything could.
    func lacking(_ remark: Explanation?) -> EffectResult { remark.map { .lacking(self, $0) } ?? self }
}
