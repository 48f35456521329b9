import type { ListPage } from '../lib/pagination.js'
import { Link } from './Link.js'

interface Props {
  page: ListPage<unknown>
  /** Other parameters of the URL: empty, or ending with `&`. */
  query?: string
  label: string
  previous: string
  next: string
}

/** Links to the previous and the next page of a list, if any. */
export function Pagination({ page, query = '', label, previous, next }: Props) {
  if (page.before === null && page.next === null) return null
  return (
    <nav className="actions" aria-label={label}>
      {page.before !== null && (
        <Link className="button" to={`?${query}skip=${page.before}`}>
          {previous}
        </Link>
      )}
      {page.next !== null && (
        <Link className="button" to={`?${query}skip=${page.next}`}>
          {next}
        </Link>
      )}
    </nav>
  )
}
