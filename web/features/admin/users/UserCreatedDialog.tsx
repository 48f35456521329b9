import { type SyntheticEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../components/CopyButton.js'
import { Icon } from '../../../components/Icon.js'
import { Notice } from '../../../components/Notice.js'
import { errorText } from '../../../lib/error-message.js'
import { moment } from '../../../lib/format.js'
import { language } from '../../../lib/i18n.js'
import { useSettings } from '../../../lib/settings.js'
import type { NewAccount } from './AddUserDialog.js'
import { type OneTimeLink, prepareLink } from './one-time-link.js'

interface Props {
  account: NewAccount
  onClosed(): void
}

/** How somebody who was added gets their password. A generated one is shown here and nowhere else. */
export function Ready({ account, onClosed }: Props) {
  const { t } = useTranslation('admin')
  const { limits } = useSettings().settings
  const { username, password, isGenerated } = account
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const [send] = useState(() => prepareLink(account, limits.ttlMax))
  const [link, setLink] = useState<OneTimeLink | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const [isTaken, setTaken] = useState(!isGenerated)
  const [isAsking, setAsking] = useState(false)
  useEffect(() => dialog.current?.showModal(), [])

  const make = async () => {
    if (isBusy) return
    setBusy(true)
    setFailure(null)
    try {
      setLink(await send())
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const taken = () => {
    setTaken(true)
    setAsking(false)
  }
  /** Asks once whether it should close although nobody has the password. */
  const leave = (event: SyntheticEvent) => {
    event.preventDefault()
    if (isTaken || isAsking) dialog.current?.close()
    else setAsking(true)
  }
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={onClosed} onCancel={leave}>
      <div className="dialog stack">
        <h2 id={id}>{t('ready.heading', { username })}</h2>
        <p>{t(isGenerated ? 'ready.shown-once' : 'ready.typed', { username })}</p>
        {isGenerated && (
          <code className="link-box" translate="no" onCopy={taken}>
            {password}
          </code>
        )}
        {link && (
          <section className="stack" aria-label={t('ready.link')}>
            <p role="status">{t('ready.link-works', { date: moment(link.expiresAt, language) })}</p>
            <code className="link-box" onCopy={taken}>
              {link.url}
            </code>
          </section>
        )}
        {failure !== null && <Notice kind="bad" role="alert" heading={errorText(failure)} />}
        {isAsking && (
          <Notice kind="warn" role="alert" heading={t('ready.not-copied')}>
            {t('ready.not-copied-hint')}
          </Notice>
        )}
        <div className="actions">
          {isGenerated && (
            <CopyButton text={password} onCopied={taken}>
              {t('ready.copy')}
            </CopyButton>
          )}
          {link ? (
            <CopyButton primary text={link.url} onCopied={taken}>
              {t('ready.copy-link')}
            </CopyButton>
          ) : (
            <button type="button" className="button" aria-disabled={isBusy} onClick={make}>
              <Icon name="lock" />
              {t(isBusy ? 'ready.sending' : 'ready.send')}
            </button>
          )}
          <button type="button" className="button" onClick={leave}>
            {t(isAsking ? 'ready.close-anyway' : 'ready.done')}
          </button>
        </div>
      </div>
    </dialog>
  )
}
