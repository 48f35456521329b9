import type { MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'

/** The id of the heading of a group. */
export const groupId = (index: number): string => `group-${index}`

/** Leads to the groups of operations. On wide screens it stays beside them. */
export function GroupList({ names }: { names: string[] }) {
  const { t } = useTranslation('api-docs')
  return (
    <nav className="contents" aria-label={t('contents')}>
      <ul>
        {names.map((name, index) => (
          <li key={name}>
            <a href={`#${groupId(index)}`} onClick={(event) => showGroup(event, groupId(index))}>
              <bdi lang="en">{name}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Without an entry in the history, for which the router would restore the scroll position of another page. */
function showGroup(event: MouseEvent, id: string): void {
  event.preventDefault()
  const heading = document.getElementById(id)
  heading?.scrollIntoView()
  heading?.focus({ preventScroll: true })
}
