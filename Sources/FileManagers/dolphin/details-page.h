#pragma once

#include "item-details.h"

#include <QWidget>

class QFormLayout;

namespace roundel
{
/** The rows of an item, one below the other, anew whenever they come. */
class DetailsPage : public QWidget
{
    Q_OBJECT

public:
    explicit DetailsPage(const ItemDetails &details);

private:
    void show(const QList<ItemDetails::Row> &rows);

    QFormLayout *m_layout;
};
} // namespace roundel
