import { type RefObject, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { formatUserQuery, ROLES, type UserQuery } from '../user-query.js'
import { SEARCH_KEY } from './search-key.js'

/** The list follows when nothing was typed for this long. */
const DEBOUNCE_MS = 300

interface Props {
  query: UserQuery
  /** For the search field. */
  field: RefObject<HTMLInputElement | null>
  hasShortcut: boolean
}

/** Search and role. The URL holds both. */
export function UserFilter({ query, field, hasShortcut }: Props) {
  const { t } = useTranslation('admin')
  const id = useId()
  const { text, setText, apply } = useUserSearch(query)
  return (
    <search>
      <form
        className="row"
        onSubmit={(event) => {
          event.preventDefault()
          apply({})
        }}
      >
        <div>
          <label htmlFor={`${id}-search`}>
            {t('users.search')}{' '}
            {hasShortcut && (
              <span className="shortcut" aria-hidden="true">
                <kbd>{SEARCH_KEY}</kbd>
              </span>
            )}
          </label>
          <input
            ref={field}
            aria-keyshortcuts={hasShortcut ? SEARCH_KEY : undefined}
            id={`${id}-search`}
            type="search"
            maxLength={255}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder={t('users.search-example')}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </div>
        <div>
          <label htmlFor={`${id}-role`}>{t('role.label')}</label>
          <select id={`${id}-role`} value={query.role} onChange={({ target }) => apply({ role: target.value })}>
            <option value="">{t('users.any-role')}</option>
            {ROLES.map((role) => (
              <option key={role} value={role}>
                {t(`role.${role}`)}
              </option>
            ))}
          </select>
        </div>
      </form>
    </search>
  )
}

/** The text of the search field, and `apply`, which navigates to the list for it. */
function useUserSearch(query: UserQuery) {
  const navigate = useNavigate()
  const [text, setText] = useState(query.search)
  /** The search that this component navigated to last. */
  const applied = useRef(query.search)
  const search = text.trim()
  const apply = (changes: Partial<UserQuery>) => {
    applied.current = search
    void navigate(formatUserQuery({ ...query, search, ...changes, skip: 0 }), { replace: true })
  }
  // The Back button changes the URL first.
  useEffect(() => {
    if (query.search === applied.current) return
    applied.current = query.search
    setText(query.search)
  }, [query.search])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing starts the timer
  useEffect(() => {
    if (search === applied.current) return
    const timer = setTimeout(() => apply({}), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return { text, setText, apply }
}
