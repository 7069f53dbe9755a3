#pragma once

#include "host-link.h"
#include "menu-request.h"

#include <QObject>
#include <QPointer>
#include <QWidget>

namespace roundel
{
/**
 * One action of the person, from the click until the provider has finished it. A menu that has become stale meanwhile
 * is asked for again, once; if it still offers the item, that is meant. Deletes itself in the end.
 */
class Action : public QObject
{
    Q_OBJECT

public:
    Action(HostLink &link, const MenuRequest &request, const QString &item, QWidget *window, QObject *parent);

    void activate(qulonglong menu);

Q_SIGNALS:
    /** The action came to nothing; a sentence for the person. */
    void failed(const QString &message);

private:
    void send(qulonglong menu, QVariantMap options);
    void onActivated(const HostReply &reply);
    void askAgain();
    void onFinished(qulonglong menu, const QString &item, uint outcome, const QString &message);
    void fail(const QString &message);

    HostLink &m_link;
    MenuRequest m_request;
    QString m_item;
    QPointer<QWidget> m_window;
    qulonglong m_menu = 0;
    bool m_askedAgain = false;
};
} // namespace roundel
