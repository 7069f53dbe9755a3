#include "activation-options.h"

#include <KUserTimestamp>
#include <KWindowSystem>
#if QT_VERSION_MAJOR >= 6
#include <KWaylandExtras>
#endif

#include <QGuiApplication>
#include <QWidget>
#include <QWindow>

namespace roundel
{
#if QT_VERSION_MAJOR >= 6
using TokenSource = KWaylandExtras;
#else
using TokenSource = KWindowSystem;
#endif

static void withWaylandToken(QWindow *window, std::function<void(const QVariantMap &options)> use)
{
    const auto serial = TokenSource::lastInputSerial(window);
    auto *once = new QObject(qApp);
    QObject::connect(TokenSource::self(), &TokenSource::xdgActivationTokenArrived, once,
        [once, serial, use = std::move(use)](int arrived, const QString &token) {
            if (arrived != int(serial))
                return;
            once->deleteLater();
            once->disconnect();
            use(token.isEmpty() ? QVariantMap() : QVariantMap{ { QStringLiteral("activation-token"), token } });
        });
    TokenSource::requestXdgActivationToken(window, serial, QGuiApplication::desktopFileName());
}

void withActivationOptions(const QWidget *window, std::function<void(const QVariantMap &options)> use)
{
    QWindow *handle = window == nullptr ? nullptr : window->window()->windowHandle();
    QVariantMap options;
    if (KWindowSystem::isPlatformWayland() && handle != nullptr)
        return withWaylandToken(handle, std::move(use));
    if (KWindowSystem::isPlatformX11()) {
        options[QStringLiteral("timestamp")] = uint(KUserTimestamp::userTimestamp());
        if (handle != nullptr)
            options[QStringLiteral("parent-window")] = QStringLiteral("x11:") + QString::number(handle->winId(), 16);
    }
    use(options);
}
} // namespace roundel
