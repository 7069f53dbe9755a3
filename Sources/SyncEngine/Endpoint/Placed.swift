package import SyncCore

/// What an effect put in a place, or changed there.
package struct Placed: Hashable, Sendable {
    /// What stands there now.
    package var version: Version
    /// A sentence for a person: what of it could not be kept. Nil if everything could.
    package var remark: String?

    /// What stands there now.
    package init(_ version: Version, remark: String? = nil) {
        self.version = version
        self.remark = remark
    }

    /// As the session takes it.
    var result: EffectResult { EffectResult.wrote(version).lacking(remark) }
}

extension EffectResult {
    /// The same with a sentence for what could not be kept; nil if everything could.
    func lacking(_ remark: String?) -> EffectResult { remark.map { .lacking(self, $0) } ?? self }
}
