import { useDeferredValue, useId, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'

/** From this number of rows on, a list has a search field. */
const SEARCH_FROM = 10

type Search = Omit<ReturnType<typeof useListSearch>, 'found'> & { found: unknown[] }

/**
 * The rows whose name contains the typed text, ignoring case. Only the browser knows the names. `found` stays the same
 * array for the same input: rows are rendered after the character that was typed.
 */
export function useListSearch<Item>(items: Item[], nameOf: (item: Item) => string) {
  const [query, setQuery] = useState('')
  const isShown = items.length >= SEARCH_FROM
  const wanted = useDeferredValue(isShown ? query.trim().toLowerCase() : '')
  const found = useMemo(
    () => items.filter((item) => nameOf(item).toLowerCase().includes(wanted)),
    [items, nameOf, wanted],
  )
  return { query, setQuery, isShown, found }
}

/** The search field of a list, unless the list is short. */
export function ListSearch({ search: { query, setQuery, isShown, found } }: { search: Search }) {
  const { t } = useTranslation('account')
  const id = useId()
  if (!isShown) return null
  return (
    <search className="list-filter">
      <label htmlFor={id}>{t('secrets.search')}</label>
      <input
        id={id}
        type="search"
        autoComplete="off"
        spellCheck={false}
        value={query}
        onChange={({ target }) => setQuery(target.value)}
      />
      <p className="hint" role="status">
        {found.length === 0 && t('secrets.search-none')}
      </p>
    </search>
  )
}
