#pragma once

#include <QList>
#include <QObject>
#include <QTimer>
#include <QUrl>

namespace roundel
{
/** The items whose overlays changed. The file manager is notified of a few at a time, because it works out everything
 * that it shows of an item again for each. */
class RefreshQueue : public QObject
{
    Q_OBJECT

public:
    explicit RefreshQueue(QObject *parent = nullptr);

    void add(const QUrl &item);

Q_SIGNALS:
    void refresh(const QUrl &item);

private:
    void refreshSlice();

    QList<QUrl> m_items;
    qsizetype m_next = 0;
    QTimer m_timer;
};
} // namespace roundel
