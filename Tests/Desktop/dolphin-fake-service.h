#pragma once

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusVirtualObject>
#include <QProcess>
#include <QTemporaryDir>

/** A bus of the tests' own. */
class PrivateBus
{
public:
    PrivateBus();
    ~PrivateBus();

    QDBusConnection connect(const QString &name);

private:
    QTemporaryDir m_directory;
    QProcess m_daemon;
    QString m_address;
    QStringList m_connections;
};

/** The badge service as the plugins see it: it records what they call, and answers when it is told to. */
class FakeService : public QDBusVirtualObject
{
    Q_OBJECT

public:
    explicit FakeService(const QDBusConnection &bus);
    ~FakeService() override;

    bool handleMessage(const QDBusMessage &message, const QDBusConnection &connection) override;
    QString introspect(const QString &path) const override;

    void changeBadges(const QString &host, const QString &directory, const QStringList &names, const QString &badge);
    void reset(const QString &host);
    void setFolders(const QStringList &folders);

    QStringList folders;
    QList<QDBusMessage> calls; // of the Host interface
    bool isSilent = false;     // it leaves calls of the Host interface unanswered
    bool answersWrongly = false;
    bool refusesBadges = false; // it answers RequestBadges with an error
    QStringList elsewhere;      // directories that may not be observed
    QList<QVariantMap> menu;
    QVariantMap attributes;                   // of every item
    QString badge = QStringLiteral("synced"); // of every item

    /** How often that method was called. */
    int count(const QString &method) const;

    /** The names that RequestBadges was called for, those of the first so many calls of any method left out. */
    QStringList requestedNames(qsizetype after = 0) const;

private:
    QVariantMap properties() const;
    QVariantList answer(const QDBusMessage &call) const;

    QDBusConnection m_bus;
};
