#include "details-page.h"

#include "words/words.h"

#include <QFormLayout>
#include <QLabel>

#include <cstdlib>

namespace roundel
{
static QString labelOf(const QString &name)
{
    char *filled = words_filled(/* Translators: the name of a row. */ _("{1}:"), name.toUtf8().constData(), nullptr);
    const QString label = QString::fromUtf8(filled);
    free(filled);
    return label;
}

/** Plain text, whatever a provider writes. */
static QLabel *plainLabel(const QString &text)
{
    auto *label = new QLabel;
    label->setTextFormat(Qt::PlainText);
    label->setText(text);
    return label;
}

static QLabel *valueLabel(const QString &value)
{
    QLabel *label = plainLabel(value);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label->setWordWrap(true);
    // All the width there is: a label would rather be narrow, and wrap an address into lines that have no room.
    label->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    return label;
}

DetailsPage::DetailsPage(const ItemDetails &details) : m_layout(new QFormLayout(this))
{
    m_layout->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_layout->setLabelAlignment(Qt::AlignRight | Qt::AlignTop);
    connect(&details, &ItemDetails::arrived, this, &DetailsPage::show);
}

/** The labels that stay keep what is selected in them; a row that is there already is only given its text. */
void DetailsPage::show(const QList<ItemDetails::Row> &rows)
{
    while (m_layout->rowCount() > rows.size())
        m_layout->removeRow(m_layout->rowCount() - 1);
    for (int i = 0; i < rows.size(); i++) {
        if (i == m_layout->rowCount())
            m_layout->addRow(plainLabel({}), valueLabel({}));
        auto *name = qobject_cast<QLabel *>(m_layout->itemAt(i, QFormLayout::LabelRole)->widget());
        auto *value = qobject_cast<QLabel *>(m_layout->itemAt(i, QFormLayout::FieldRole)->widget());
        name->setText(labelOf(rows[i].name));
        if (value->text() != rows[i].value)
            value->setText(rows[i].value);
        // A screen reader says the name with the value.
        name->setBuddy(value);
    }
}
} // namespace roundel
