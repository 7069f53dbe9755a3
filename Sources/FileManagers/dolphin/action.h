#pragma once

#include "host-connection.h"
#include "menu-request.h"

#include <QObject>
#include <QPointer>
#include <QWidget>

namespace roundel
{
/**
 * An action that the user chose, from the click until the provider has finished it. If its menu has become stale
 * meanwhile, it is asked for again, once, and the same item is activated if it is still offered. Deletes itself.
 */
class Action : public QObject
{
    Q_OBJECT

public:
    Action(
        HostConnection &connection, const MenuRequest &request, const QString &item, QWidget *window, QObject *parent);

    void activate(qulonglong menu);

Q_SIGNALS:
    /** The action failed; the message is a sentence for the user. */
    void failed(const QString &message);

private:
    void send(qulonglong menu, QVariantMap options);
    void onRefused(const HostError *error);
    void onMenu(GVariant *reply, const HostError *error);
    void askAgain();
    void onFinished(
        qulonglong menu, const QString &item, uint outcome, const QString &message, const QString &clipboard);
    void showAnswer(const QString &message);
    void fail(const QString &message);

    HostConnection &m_connection;
    MenuRequest m_request;
    QString m_item;
    QPointer<QWidget> m_window;
    qulonglong m_menu = 0;
    bool m_askedAgain = false;
};
} // namespace roundel
