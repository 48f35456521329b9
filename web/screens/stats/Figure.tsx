import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Amount } from './amounts.js'
import { AmountText } from './Stats.js'

interface Props {
  heading: string
  /** What the rows of the table are. */
  column: string
  rows: { label: string; amount: Amount }[]
  children: ReactNode
}

/** A chart, and every one of its values as a table for those who ask. */
export function Figure({ heading, column, rows, children }: Props) {
  const { t } = useTranslation('stats')
  const id = useId()
  return (
    <figure className="card" aria-labelledby={id}>
      <figcaption>
        <h2 id={id}>{heading}</h2>
      </figcaption>
      {children}
      <details>
        <summary>{t('table')}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long table scrolls, and keys must reach it */}
        <section className="table-box tall" tabIndex={0} aria-label={heading}>
          <table>
            <thead>
              <tr>
                <th scope="col">{column}</th>
                <th scope="col">{t('amount')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ label, amount }) => (
                <tr key={label}>
                  <th scope="row">{label}</th>
                  <td data-label={t('amount')}>
                    <AmountText amount={amount} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </figure>
  )
}
