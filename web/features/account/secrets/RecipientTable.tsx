import { useTranslation } from 'react-i18next'
import { Table } from '../../../components/Table.js'
import { formatNumber } from '../../../lib/format.js'
import { language } from '../../../lib/i18n.js'

/** The named recipients and whether they opened the secret, by their order when the secret was created. */
export function RecipientTable({ views }: { views: number[] }) {
  const { t } = useTranslation('receipt')
  const recipients = views.map((count, index) => ({ number: index + 1, count }))
  return (
    <Table
      name={t('recipient')}
      columns={[
        { name: t('recipient'), render: ({ number }) => formatNumber(number, language) },
        {
          name: t('views'),
          render: ({ count }) => (count === 0 ? t('states.waiting') : formatNumber(count, language)),
        },
      ]}
      items={recipients}
      getKey={({ number }) => String(number)}
    />
  )
}
