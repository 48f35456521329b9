import type { ReactNode } from 'react'

export interface Column<Item> {
  name: string
  render(item: Item, index: number): ReactNode
}

interface Props<Item> {
  name: string
  /** The first one is the row header. */
  columns: Column<Item>[]
  items: Item[]
  getKey(item: Item): string
  /** By the first column, ascending. */
  isSorted?: boolean
  /** Has a maximum height and scrolls. */
  isTall?: boolean
}

/** On narrow screens each row is a card, and each cell is labeled with its column. */
export function Table<Item>({ name, columns, items, getKey, isSorted, isTall }: Props<Item>) {
  const [head, ...others] = columns
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, and keys must reach it
    <section className={isTall ? 'table-box tall' : 'table-box'} tabIndex={0} aria-label={name}>
      <table>
        <caption className="only-read">{name}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.name} scope="col" aria-sort={isSorted && column === head ? 'ascending' : undefined}>
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item, index) => (
            <tr key={getKey(item)}>
              <th scope="row">{head?.render(item, index)}</th>
              {others.map((column) => (
                <td key={column.name} data-label={column.name}>
                  {column.render(item, index)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
