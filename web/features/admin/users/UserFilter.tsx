import { type RefObject, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { SEARCH_KEY } from './use-search-shortcut.js'
import { queryOf, ROLES, type Wanted } from './user-query.js'

/** How long nobody types before the list follows. */
const WAIT_MS = 300

interface Props {
  wanted: Wanted
  /** Of the search. */
  field: RefObject<HTMLInputElement | null>
  hasKey: boolean
}

/** Search and role. Both live in the address. */
export function Filter({ wanted, field, hasKey }: Props) {
  const { t } = useTranslation('admin')
  const navigate = useNavigate()
  const id = useId()
  const [text, setText] = useState(wanted.search)
  const followed = useRef(wanted.search)
  const apply = (changed: Partial<Wanted>) => {
    const next = { ...wanted, ...changed, skip: 0 }
    followed.current = next.search
    void navigate(queryOf(next), { replace: true })
  }
  // Back and a cleared search change the address first.
  useEffect(() => {
    if (wanted.search === followed.current) return
    followed.current = wanted.search
    setText(wanted.search)
  }, [wanted.search])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing starts the wait
  useEffect(() => {
    const search = text.trim()
    if (search === followed.current) return
    const timer = setTimeout(() => apply({ search }), WAIT_MS)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <search>
      <form
        className="row"
        onSubmit={(event) => {
          event.preventDefault()
          apply({ search: text.trim() })
        }}
      >
        <div>
          <label htmlFor={`${id}-search`}>
            {t('users.search')}{' '}
            {hasKey && (
              <span className="shortcut" aria-hidden="true">
                <kbd>{SEARCH_KEY}</kbd>
              </span>
            )}
          </label>
          <input
            ref={field}
            aria-keyshortcuts={hasKey ? SEARCH_KEY : undefined}
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
          <select
            id={`${id}-role`}
            value={wanted.role}
            onChange={({ target }) => apply({ search: text.trim(), role: target.value })}
          >
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
