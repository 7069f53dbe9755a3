#pragma once

#include <QVariantMap>

#include <functional>

class QWidget;

namespace roundel
{
/** Gives what whoever opens a window for an action of the person in this window needs for that: `activation-token`
 * under Wayland, where it comes from the compositor later, `timestamp` and `parent-window` under X11. */
void withActivationOptions(const QWidget *window, std::function<void(const QVariantMap &options)> use);
} // namespace roundel
