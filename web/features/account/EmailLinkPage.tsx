import { useState } from 'react'
import { ErrorNotice } from '../../components/ErrorNotice.js'
import { Link } from '../../components/Link.js'
import { Notice } from '../../components/Notice.js'
import { Page } from '../../components/Page.js'
import { useSend } from '../../forms/use-send.js'

interface Props {
  /** Of the link; empty: it has none. */
  token: string
  heading: string
  lede: string
  action: string
  /** Returns a message about the result. */
  act(): Promise<string>
  isBroken(error: unknown): boolean
  brokenText: string
  /** The next page, after success or with a broken link. */
  next: { to: string; label: string }
}

/** Carries out the action of a link in an e-mail. Nothing is sent before a click. */
export function EmailLinkPage({ token, heading, lede, action, act, isBroken, brokenText, next }: Props) {
  const [done, setDone] = useState<string | null>(null)
  const { sendNow, isSending, error } = useSend(async () => setDone(await act()))
  const broken = token === '' || isBroken(error)
  const isOver = done !== null || broken
  return (
    <Page heading={heading} lede={!isOver && lede}>
      {done !== null && (
        <Notice kind="good" role="status">
          {done}
        </Notice>
      )}
      {broken ? (
        <Notice kind="bad" role="alert">
          {brokenText}
        </Notice>
      ) : (
        <ErrorNotice error={error} />
      )}
      <p className="actions">
        {isOver ? (
          <Link className="button primary" to={next.to}>
            {next.label}
          </Link>
        ) : (
          <button type="button" className="button primary" aria-disabled={isSending} onClick={sendNow}>
            {action}
          </button>
        )}
      </p>
    </Page>
  )
}
