import type { ReactNode } from 'react'

export interface Column<Item> {
  name: string
  render(item: Item, index: number): ReactNode
}

interface Props<Item> {
  name: string
  /** The first one says what a row is about. */
  columns: Column<Item>[]
  items: Item[]
  getKey(item: Item): string
  /** By the first column. */
  isSorted?: boolean
  /** It does not grow with its rows: it scrolls. */
  isTall?: boolean
}

/** On a phone each row is a card, and every cell has the name of its column before it. */
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
