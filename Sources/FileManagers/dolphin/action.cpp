#include "action.h"

#include "activation-options.h"
#include "menu-item.h"
#include "names.h"
#include "texts.h"

#include <QClipboard>
#include <QGuiApplication>

namespace roundel
{
static constexpr uint outcomeDone = 0;
static constexpr uint outcomeFailed = 2;

Action::Action(HostLink &link, const MenuRequest &request, const QString &item, QWidget *window, QObject *parent)
    : QObject(parent), m_link(link), m_request(request), m_item(item), m_window(window)
{
    connect(&m_link, &HostLink::actionFinished, this, &Action::onFinished);
    connect(&m_link, &HostLink::gone, this, [this] { fail(texts::serviceEnded()); });
}

void Action::activate(qulonglong menu)
{
    withActivationOptions(m_window, [self = QPointer<Action>(this), menu](const QVariantMap &options) {
        if (self != nullptr)
            self->send(menu, options);
    });
}

void Action::send(qulonglong menu, QVariantMap options)
{
    // A failure is shown in the window's message bar, so the service need not report it too.
    options[QStringLiteral("shows-result")] = true;
    if (!m_link.isConnected()) {
        fail(texts::serviceAbsent());
        return;
    }
    m_menu = menu;
    m_link.call(
        QStringLiteral("Activate"), { menu, m_item }, QStringLiteral("a{sv}"),
        [self = QPointer<Action>(this)](const HostReply &reply) {
            if (self != nullptr)
                self->onActivated(reply);
        },
        options);
}

void Action::onActivated(const HostReply &reply)
{
    if (!reply.isError())
        return;
    const bool isStale = reply.errorName == names::staleMenu || reply.errorName == names::unknownItem;
    if (isStale && !m_askedAgain)
        askAgain();
    else
        fail(reply.errorText);
}

void Action::askAgain()
{
    m_askedAgain = true;
    m_link.call(QStringLiteral("GetMenu"), m_request.arguments(), QStringLiteral("taa{sv}a{sv}"),
        [self = QPointer<Action>(this)](const HostReply &reply) {
            if (self == nullptr)
                return;
            if (reply.isError())
                self->fail(reply.errorText);
            else if (MenuItem::offers(MenuItem::listFrom(reply.arguments[1]), self->m_item))
                self->activate(reply.arguments[0].toULongLong());
            else
                self->fail(texts::noLongerOffered());
        });
}

void Action::onFinished(
    qulonglong menu, const QString &item, uint outcome, const QString &message, const QString &clipboard)
{
    if (menu != m_menu || item != m_item)
        return;
    if (outcome == outcomeFailed) {
        fail(message);
        return;
    }
    if (outcome == outcomeDone && !clipboard.isEmpty())
        QGuiApplication::clipboard()->setText(clipboard);
    deleteLater();
}

void Action::fail(const QString &message)
{
    deleteLater();
    Q_EMIT failed(message);
}
} // namespace roundel
