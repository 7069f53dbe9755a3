#pragma once

#include "host-connection.h"

#include <QByteArray>
#include <QList>
#include <QObject>
#include <QString>

namespace roundel
{
/**
 * What the service knows of one item, in words, for as long as this object is there: asked for as soon as the item
 * turns out to be in a registered folder, and again whenever its badge changes or the service comes back.
 */
class ItemDetails : public QObject
{
    Q_OBJECT

public:
    struct Row {
        QString name;
        QString value;
    };

    /** The URI is canonical. */
    ItemDetails(const QDBusConnection &bus, const QByteArray &uri, QObject *parent = nullptr);
    ~ItemDetails() override;

Q_SIGNALS:
    /** The item is in a registered folder; said once, before any rows. */
    void found();
    /** The rows that there are now. */
    void arrived(const QList<roundel::ItemDetails::Row> &rows);

private:
    static HostLinkEvents linkEvents();
    static ObserverEvents observerEvents();
    void observe();
    void look();
    void follow();
    void onArrived(GVariant *values);

    HostConnection m_connection;
    QByteArray m_uri;
    QByteArray m_directory; // that holds the item; empty for the root
    TimeSlice m_slice;
    Observer *m_observer;
    Attributes *m_attributes;
    AttributeFollower *m_follower = nullptr; // once the item was found
    bool m_isObserved = false;
};
} // namespace roundel
