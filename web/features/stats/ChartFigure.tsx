import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { type Column, Table } from '../../components/Table.js'
import { AmountText } from './AmountText.js'
import type { Amount } from './amounts.js'

interface Row {
  label: string
  amount: Amount
}

interface Props {
  heading: string
  /** Heading of the first column of the table. */
  column: string
  rows: Row[]
  children: ReactNode
}

/** A chart, with its values as a collapsed table. */
export function ChartFigure({ heading, column, rows, children }: Props) {
  const { t } = useTranslation('stats')
  const id = useId()
  const columns: Column<Row>[] = [
    { name: column, render: ({ label }) => label },
    { name: t('amount'), render: ({ amount }) => <AmountText amount={amount} /> },
  ]
  return (
    <figure className="card" aria-labelledby={id}>
      <figcaption>
        <h2 id={id}>{heading}</h2>
      </figcaption>
      {children}
      <details>
        <summary>{t('table')}</summary>
        <Table isTall name={heading} columns={columns} items={rows} getKey={({ label }) => label} />
      </details>
    </figure>
  )
}
