#pragma once

#include <QVariantMap>

#include <functional>

class QWidget;

namespace roundel
{
/** Passes on what a program needs to open a window for an action in this window: `activation-token` under Wayland,
 * where the compositor sends it later, `timestamp` and `parent-window` under X11. */
void withActivationOptions(const QWidget *window, std::function<void(const QVariantMap &options)> use);
} // namespace roundel
