import type { ReactNode } from 'react'

/** Rows of which the first cell says what they are about. On a phone each is a card: cells carry their column as `data-label`. */
export function Table({ name, columns, children }: { name: string; columns: string[]; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, and keys must reach it
    <section className="table-box" tabIndex={0} aria-label={name}>
      <table>
        <caption className="only-read">{name}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  )
}
