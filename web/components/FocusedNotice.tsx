import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { restrictionPath } from '../lib/session/restriction.js'
import { Link } from './Link.js'
import { Notice } from './Notice.js'

interface Props {
  /** Null: there is none. */
  error: unknown
  heading?: ReactNode
  children?: ReactNode
}

/** A notice that takes the focus with each new error, so that it is announced and scrolled into view. */
export function FocusedNotice({ error, heading, children }: Props) {
  const container = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (error !== null) container.current?.focus()
  }, [error])
  return (
    <div ref={container} tabIndex={-1} className="failure">
      {error !== null && (
        <Notice kind="bad" role="alert" heading={heading}>
          {children}
          <RestrictionLink error={error} />
        </Notice>
      )}
    </div>
  )
}

/** Leads the user of a restricted session to the second step, or to the page for adding a second factor. */
function RestrictionLink({ error }: { error: unknown }) {
  const { t } = useTranslation()
  const { pathname, search } = useLocation()
  const path = restrictionPath(error, pathname + search)
  return (
    path !== null && (
      <p>
        <Link to={path}>{t('continue')}</Link>
      </p>
    )
  )
}
