import { useTranslation } from 'react-i18next'
import type { Receipt } from '#shared/api'
import { type Column, Table } from '../../components/Table.js'
import { isolateLtr } from '../../lib/format.js'
import { formatDateTime } from '../../lib/format-time.js'
import { language } from '../../lib/i18n.js'

type View = Receipt['viewList'][number]

/** When the secret was opened and, if the instance records it, from where. */
export function ReceiptViews({ receipt: { viewList } }: { receipt: Receipt }) {
  const { t } = useTranslation('receipt')
  const columns: Column<View>[] = [{ name: t('time'), render: ({ at }) => formatDateTime(at, language) }]
  if (viewList.some(({ recipient }) => recipient !== null)) {
    columns.push({ name: t('recipient'), render: ({ recipient }) => recipient ?? '–' })
  }
  if (viewList.some(({ network }) => network !== null)) {
    columns.push({ name: t('network'), render: ({ network }) => (network === null ? '–' : isolateLtr(network)) })
  }
  if (viewList.some(({ browser }) => browser !== null)) {
    columns.push({ name: t('browser'), render: ({ browser }) => <bdi translate="no">{browser ?? '–'}</bdi> })
  }
  // The list only grows at its end, so the position identifies a view.
  const keys = new Map(viewList.map((view, index) => [view, String(index)]))
  return (
    <section className="stack">
      <h2>{t('opened')}</h2>
      <Table name={t('opened')} columns={columns} items={viewList} getKey={(view) => keys.get(view) ?? ''} />
    </section>
  )
}
