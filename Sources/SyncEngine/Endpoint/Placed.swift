package import SyncCore

/// What an effect put in a place, or changed there.
package struct Placed: Hashable, Sendable {
    /// What stands there now.
    package var version: Version
    /// What of it could not be kept. Nil if everything could.
    package var remark: Explanation?

    /// What stands there now.
    package init(_ version: Version, remark: Explanation? = nil) {
        self.version = version
        self.remark = remark
    }

    /// As the session takes it.
    var result: EffectResult { EffectResult.wrote(version).lacking(remark) }
}

extension EffectResult {
    /// The same with what could not be kept; nil if everything could.
    func lacking(_ remark: Explanation?) -> EffectResult { remark.map { .lacking(self, $0) } ?? self }
}
