package import DBus

extension ValueBudget {
    /// For the options of one call, for attributes and for notices.
    package static var options: ValueBudget { ValueBudget(values: Limits.optionValues, bytes: Limits.optionText) }

    /// For the items of one menu.
    package static var menu: ValueBudget { ValueBudget(values: Limits.menuValues, bytes: Limits.menuBytes) }
}

extension MessageReader {
    /// Reads an `a{sv}` of any program: its options, or what it answers.
    /// - Throws: `LimitExceeded` if it holds more than the budget has left, or `InvalidArgs` if there is none.
    package mutating func readOptions(within budget: inout ValueBudget) throws(DBusError) -> VariantMap {
        do throws(DBusError) {
            return try readVariantMap(within: &budget)
        } catch {
            guard error.standard == .limitsExceeded else { throw error }
            throw DBusError(
                RoundelError(.limitExceeded, "The options have too many values or too much text; give less."))
        }
    }

    /// Reads the options of a call.
    /// - Throws: `LimitExceeded` if there are more than ``Limits/optionValues`` or ``Limits/optionText`` allow, or
    ///   `InvalidArgs` if there are none.
    package mutating func readOptions() throws(DBusError) -> VariantMap {
        var budget = ValueBudget.options
        return try readOptions(within: &budget)
    }
}
