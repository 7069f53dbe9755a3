internal import CGtk4

/// Has a box with two widgets show the second one beside the first where there is room for both, otherwise below it: text
/// with buttons, for which the letters may be large and the window narrow.
@Interface
enum ReflowingBox {
    /// Pixels between the two.
    private nonisolated static let gap: Int32 = 12

    /// Changes how a box lays out its widgets. Its own spacing has no meaning any more.
    static func apply(to box: Box) {
        let layout = gtk_custom_layout_new(
            { _ in GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH },
            { box, orientation, size, least, natural, _, _ in
                guard let content = Content(box) else { return }
                let needed = content.measure(orientation, size)
                least?.pointee = needed.least
                natural?.pointee = needed.natural
            },
            { box, width, height, _ in
                guard let box, let content = Content(box) else { return }
                content.place(width, height, isMirrored: gtk_widget_get_direction(box) == GTK_TEXT_DIR_RTL)
            })
        gtk_widget_set_layout_manager(box.widget, layout)
    }

    /// The two widgets of such a box.
    private struct Content {
        let text: UnsafeMutablePointer<GtkWidget>
        let buttons: UnsafeMutablePointer<GtkWidget>

        init?(_ box: UnsafeMutablePointer<GtkWidget>?) {
            guard let text = gtk_widget_get_first_child(box), let buttons = gtk_widget_get_next_sibling(text) else {
                return nil
            }
            (self.text, self.buttons) = (text, buttons)
        }

        func measure(_ orientation: GtkOrientation, _ size: Int32) -> (least: Int32, natural: Int32) {
            guard orientation == GTK_ORIENTATION_VERTICAL else {
                let (text, buttons) = (Self.width(text), Self.width(buttons))
                return (max(text.least, buttons.least), text.natural + gap + buttons.natural)
            }
            let width = size < 0 ? measure(GTK_ORIENTATION_HORIZONTAL, -1).natural : size
            let height = isBeside(width) ? max(textHeight(width), buttonHeight) : textHeight(width) + gap + buttonHeight
            return (height, height)
        }

        func place(_ width: Int32, _ height: Int32, isMirrored: Bool) {
            let (textWidth, buttonWidth) = (textWidth(width), min(width, Self.width(buttons).natural))
            let isBeside = isBeside(width)
            let textHeight = isBeside ? height : textHeight(width)
            var first = GtkAllocation(
                x: isMirrored ? width - textWidth : 0, y: 0, width: textWidth, height: textHeight)
            // Below the text they are where its lines begin.
            let end = isBeside ? width - buttonWidth : 0
            var second = GtkAllocation(
                x: isMirrored ? width - buttonWidth - end : end, y: isBeside ? 0 : textHeight + gap,
                width: buttonWidth, height: isBeside ? height : buttonHeight)
            gtk_widget_size_allocate(text, &first, -1)
            gtk_widget_size_allocate(buttons, &second, -1)
        }

        /// Whether the text has room beside the buttons: for its longest line, or for three fifths of the box.
        private func isBeside(_ width: Int32) -> Bool {
            let rest = width - gap - Self.width(buttons).natural
            return rest >= min(Self.width(text).natural, width / 5 * 3)
        }

        private func textWidth(_ width: Int32) -> Int32 {
            isBeside(width) ? width - gap - Self.width(buttons).natural : width
        }

        private func textHeight(_ width: Int32) -> Int32 {
            Self.size(text, GTK_ORIENTATION_VERTICAL, textWidth(width)).natural
        }

        private var buttonHeight: Int32 { Self.size(buttons, GTK_ORIENTATION_VERTICAL, -1).natural }

        private static func width(_ widget: UnsafeMutablePointer<GtkWidget>) -> (least: Int32, natural: Int32) {
            size(widget, GTK_ORIENTATION_HORIZONTAL, -1)
        }

        private static func size(
            _ widget: UnsafeMutablePointer<GtkWidget>, _ orientation: GtkOrientation, _ other: Int32
        ) -> (least: Int32, natural: Int32) {
            var (least, natural): (Int32, Int32) = (0, 0)
            gtk_widget_measure(widget, orientation, other, &least, &natural, nil, nil)
            return (least, natural)
        }
    }
}
