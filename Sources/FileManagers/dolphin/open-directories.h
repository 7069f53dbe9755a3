#pragma once

#include <QObject>

class QUrl;

namespace roundel
{
/**
 * Which directories the windows of this process show, in whatever tab, pane or expanded branch. Dolphin's main windows
 * answer that to programs on the bus; here they are asked in the process itself, through their meta-object. A
 * program without such windows gives no answer.
 */
class OpenDirectories : public QObject
{
    Q_OBJECT

public:
    enum class Answer { open, closed, unknown };

    explicit OpenDirectories(QObject *parent = nullptr);

    /** Whether the directory that holds this item is shown. */
    Answer holding(const QUrl &item);

    bool eventFilter(QObject *watched, QEvent *event) override;

Q_SIGNALS:
    /** Which directories are shown may have changed. */
    void mayHaveChanged();

private:
    bool m_canAsk = false; // there was a window that could be asked
};
} // namespace roundel
