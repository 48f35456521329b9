import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRevalidator } from 'react-router'
import type { Session } from '#shared/api'
import { Card } from '../../../components/Card.js'
import { formatDateTime, formatRelativeTime } from '../../../lib/format-time.js'
import { language } from '../../../lib/i18n.js'
import { sessionName } from '../../../lib/session-name.js'
import { useAttempt } from '../../../lib/use-attempt.js'
import { endSession } from '../account-api.js'
import { useFocusAfterRemoval } from '../use-focus-after-removal.js'

/** The sessions of the user, with buttons to end them. */
export function SessionList({ sessions }: { sessions: Session[] }) {
  const { t } = useTranslation('account')
  const { revalidate } = useRevalidator()
  const [message, setMessage] = useState('')
  const { error, attempt } = useAttempt()
  const container = useRef<HTMLElement>(null)
  const focusAfter = useFocusAfterRemoval(sessions, container, 'li button', 'h2')
  const others = sessions.filter(({ current }) => !current)
  const end = async (ended: string, which?: Session) => {
    if (!(await attempt(() => endSession(which?.id), 'session.not_found'))) return
    setMessage(ended)
    focusAfter(which ? others.indexOf(which) : 0)
    await revalidate()
  }
  return (
    <Card ref={container} heading={t('sessions.heading')} outcome={{ message, error }}>
      {sessions.length === 0 && <p className="muted">{t('sessions.none')}</p>}
      <ul className="sessions">
        {sessions.map((session) => (
          <SessionItem
            key={session.id}
            session={session}
            onEnd={(name) => end(t('sessions.ended', { name }), session)}
          />
        ))}
      </ul>
      {others.length > 1 && (
        <p>
          <button type="button" className="button danger" onClick={() => end(t('sessions.ended-others'))}>
            {t('sessions.end-others')}
          </button>
        </p>
      )}
    </Card>
  )
}

function SessionItem({ session, onEnd }: { session: Session; onEnd(name: string): void }) {
  const { t } = useTranslation('account')
  const { client, createdAt, seenAt, current } = session
  const name = sessionName(client)
  const date = formatDateTime(createdAt, language)
  return (
    <li className="between">
      <div>
        <p className="actions">
          <strong>{name}</strong>
          {current && <span className="badge">{t('sessions.here')}</span>}
        </p>
        <p className="hint">
          {current
            ? t('sessions.here-since', { date })
            : t('access:began', { date, relative: formatRelativeTime(seenAt, Date.now(), language) })}
        </p>
      </div>
      {!current && (
        <button
          type="button"
          className="button"
          aria-label={t('sessions.end-of', { name })}
          onClick={() => onEnd(name)}
        >
          {t('sessions.end')}
        </button>
      )}
    </li>
  )
}
