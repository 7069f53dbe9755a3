internal import CGtk4

/// An object of GObject, with a reference to it.
@Interface
class ObjectReference {
    /// The object.
    let raw: UnsafeMutableRawPointer

    /// A further reference to an object, or the first one to a widget that nothing holds yet.
    required init(_ raw: UnsafeMutableRawPointer) {
        g_object_ref_sink(raw)
        self.raw = raw
    }

    /// The reference that a function returned for its caller to own.
    convenience init(owned raw: UnsafeMutableRawPointer) {
        self.init(raw)
        g_object_unref(raw)
    }

    isolated deinit { g_object_unref(raw) }

    /// As C's functions for a type that only GTK knows take it.
    final var opaque: OpaquePointer { OpaquePointer(raw) }
    /// As C's functions for a type with a known structure take it.
    final func typed<Object>() -> UnsafeMutablePointer<Object> { raw.assumingMemoryBound(to: Object.self) }
}

/// A widget of GTK.
///
/// GTK's types are C structures behind macros that cast; here, a class for each kind of widget that the window uses has
/// what is done with it. Each is a view of the object alone: several may be made of one.
class Widget: ObjectReference {
    /// As C's functions for every widget take it.
    final var widget: UnsafeMutablePointer<GtkWidget> { typed() }

    final var isVisible: Bool {
        get { gtk_widget_get_visible(widget) != 0 }
        set { gtk_widget_set_visible(widget, newValue ? 1 : 0) }
    }

    final var isSensitive: Bool {
        get { gtk_widget_get_sensitive(widget) != 0 }
        set { gtk_widget_set_sensitive(widget, newValue ? 1 : 0) }
    }

    /// Adds or removes a class of CSS.
    final func setClass(_ name: String, _ isSet: Bool) {
        if isSet { gtk_widget_add_css_class(widget, name) } else { gtk_widget_remove_css_class(widget, name) }
    }

    /// What a screen reader calls it.
    final func setAccessibleName(_ name: String) { cgtk4_set_accessible_label(widget, name) }

    /// What a screen reader says of it beside its name.
    final func setAccessibleDescription(_ text: String) { cgtk4_set_accessible_description(widget, text) }

    final func setTooltip(_ text: String) { gtk_widget_set_tooltip_text(widget, text) }

    final func grabFocus() { gtk_widget_grab_focus(widget) }

    /// Calls a handler at each signal, for which it need not answer anything.
    final func on(_ signal: String, _ handle: @escaping @Interface () -> Void) {
        connect(raw, signal) { _ in
            handle()
            return false
        }
    }
}

/// Text that is shown.
final class Label: Widget {
    var text: String {
        get { String(cString: gtk_label_get_text(opaque)) }
        set { gtk_label_set_text(opaque, newValue) }
    }

    /// Shows a text, or nothing at all.
    func show(_ text: String?) {
        self.text = text ?? ""
        isVisible = !(text ?? "").isEmpty
    }
}

/// An icon.
final class Image: Widget {
    var icon: String = "" {
        didSet {
            guard icon != oldValue else { return }
            gtk_image_set_from_icon_name(opaque, icon)
            isVisible = !icon.isEmpty
        }
    }
}

final class Button: Widget {
    /// A button whose words take several lines where there is no room for one.
    static func wrapping(_ text: String) -> Button {
        let label = Label(UnsafeMutableRawPointer(gtk_label_new(text)))
        gtk_label_set_wrap(label.opaque, 1)
        gtk_label_set_justify(label.opaque, GTK_JUSTIFY_CENTER)
        let button = Button(UnsafeMutableRawPointer(gtk_button_new()))
        gtk_button_set_child(button.typed(), label.widget)
        button.setAccessibleName(text)
        return button
    }

    func setLabel(_ text: String) { gtk_button_set_label(typed(), text) }

    func setIcon(_ name: String) { gtk_button_set_icon_name(typed(), name) }

    func onClick(_ handle: @escaping @Interface () -> Void) { on("clicked", handle) }
}

final class ProgressBar: Widget {
    var fraction: Double {
        get { gtk_progress_bar_get_fraction(opaque) }
        set { gtk_progress_bar_set_fraction(opaque, newValue) }
    }
}

final class Stack: Widget {
    /// The name of the page that is shown.
    var page: String {
        get { gtk_stack_get_visible_child_name(opaque).map { String(cString: $0) } ?? "" }
        set { gtk_stack_set_visible_child_name(opaque, newValue) }
    }

    func add(_ child: Widget, named name: String) { gtk_stack_add_named(opaque, child.widget, name) }
}

final class SearchEntry: Widget {
    var text: String { gtk_editable_get_text(opaque).map { String(cString: $0) } ?? "" }

    func setText(_ text: String) { gtk_editable_set_text(opaque, text) }
}

final class Revealer: Widget {
    var isRevealed: Bool {
        get { gtk_revealer_get_reveal_child(opaque) != 0 }
        set { gtk_revealer_set_reveal_child(opaque, newValue ? 1 : 0) }
    }
}

/// A box in which widgets stand in a row.
final class Box: Widget {
    func append(_ child: Widget) { gtk_box_append(typed(), child.widget) }

    func remove(_ child: Widget) { gtk_box_remove(typed(), child.widget) }
}

/// A list of rows.
final class ListBox: Widget {
    func insert(_ row: Widget, at position: Int) { gtk_list_box_insert(opaque, row.widget, Int32(position)) }

    func remove(_ row: Widget) { gtk_list_box_remove(opaque, row.widget) }
}

final class CheckButton: Widget {
    var isActive: Bool {
        get { gtk_check_button_get_active(typed()) != 0 }
        set { gtk_check_button_set_active(typed(), newValue ? 1 : 0) }
    }
}

final class Switch: Widget {
    var isActive: Bool {
        get { gtk_switch_get_active(opaque) != 0 }
        set { gtk_switch_set_active(opaque, newValue ? 1 : 0) }
    }
}

/// What turns while something goes on.
final class Spinner: Widget {
    var isSpinning: Bool {
        get { gtk_spinner_get_spinning(opaque) != 0 }
        set { gtk_spinner_set_spinning(opaque, newValue ? 1 : 0) }
    }
}

/// A number that a person types or changes by steps.
final class SpinButton: Widget {
    var value: Double {
        get { gtk_spin_button_get_value(opaque) }
        set { gtk_spin_button_set_value(opaque, newValue) }
    }
}

/// A row with a title and a text below it.
final class ActionRow: Widget {
    func setTitle(_ text: String) { adw_preferences_row_set_title(typed(), text) }

    func setSubtitle(_ text: String) { adw_action_row_set_subtitle(typed(), text) }
}

/// A row in which a person types.
final class EntryRow: Widget {
    var text: String { gtk_editable_get_text(opaque).map { String(cString: $0) } ?? "" }

    var isEmpty: Bool { gtk_editable_get_text(opaque).map { $0[0] == 0 } ?? true }

    func setText(_ text: String) { gtk_editable_set_text(opaque, text) }
}
