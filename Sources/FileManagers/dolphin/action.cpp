#include "action.h"

#include "activation-options.h"
#include "words/words.h"
#include "variants.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMessageBox>

namespace roundel
{
Action::Action(
    HostConnection &connection, const MenuRequest &request, const QString &item, QWidget *window, QObject *parent)
    : QObject(parent), m_connection(connection), m_request(request), m_item(item), m_window(window)
{
    connect(&m_connection, &HostConnection::actionFinished, this, &Action::onFinished);
    connect(&m_connection, &HostConnection::gone, this,
        [this] { fail(QString::fromUtf8(_("Roundel stopped before the action was finished."))); });
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
    if (!m_connection.isConnected()) {
        fail(QString::fromUtf8(_("Roundel is not running.")));
        return;
    }
    m_menu = menu;
    GVariant *arguments = g_variant_new(
        "(ts@a{sv})", guint64(menu), m_item.toUtf8().constData(), variants::dictionaryOf(options));
    m_connection.call(
        "Activate", arguments, "(a{sv})", [self = QPointer<Action>(this)](GVariant *, const HostError *error) {
            if (self != nullptr && error != nullptr)
                self->onRefused(error);
        });
}

void Action::onRefused(const HostError *error)
{
    const bool isStale = g_str_equal(error->name, STALE_MENU_ERROR) || g_str_equal(error->name, UNKNOWN_ITEM_ERROR);
    if (isStale && !m_askedAgain)
        askAgain();
    else
        fail(QString::fromUtf8(error->message));
}

void Action::askAgain()
{
    m_askedAgain = true;
    m_connection.call("GetMenu", m_request.arguments(), MENU_REPLY_TYPE,
        [self = QPointer<Action>(this)](GVariant *reply, const HostError *error) {
            if (self != nullptr)
                self->onMenu(reply, error);
        });
}

void Action::onMenu(GVariant *reply, const HostError *error)
{
    if (reply == nullptr) {
        fail(QString::fromUtf8(error->message));
        return;
    }
    const MenuAnswer answer = menu_answer_read(reply);
    g_autoptr(GPtrArray) items = answer.items;
    if (menu_items_find_enabled(items, m_item.toUtf8().constData()) != nullptr)
        activate(answer.menu_id);
    else
        fail(QString::fromUtf8(_("This is no longer offered. Please open the menu again.")));
}

void Action::onFinished(
    qulonglong menu, const QString &item, uint outcome, const QString &message, const QString &clipboard)
{
    if (menu != m_menu || item != m_item)
        return;
    if (outcome == OUTCOME_FAILED) {
        fail(message);
        return;
    }
    if (outcome == OUTCOME_DONE && !clipboard.isEmpty())
        QGuiApplication::clipboard()->setText(clipboard);
    if (outcome == OUTCOME_DONE && !message.isEmpty())
        showAnswer(message);
    deleteLater();
}

/** It does not keep the window from being used. */
void Action::showAnswer(const QString &message)
{
    auto *box = new QMessageBox(
        QMessageBox::Information, QStringLiteral("Roundel"), message, QMessageBox::Ok, m_window);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText);
    box->setModal(false);
    box->show();
}

void Action::fail(const QString &message)
{
    deleteLater();
    Q_EMIT failed(message);
}
} // namespace roundel
