import { useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../components/CopyButton.js'
import { Dialog } from '../../../components/Dialog.js'
import { Icon } from '../../../components/Icon.js'
import { Notice } from '../../../components/Notice.js'
import { useClosingQuestion } from '../../../components/use-closing-question.js'
import { useSend } from '../../../forms/use-send.js'
import { errorMessage } from '../../../lib/error-message.js'
import { formatDateTime } from '../../../lib/format-time.js'
import { language } from '../../../lib/i18n.js'
import { useSettings } from '../../../lib/settings.js'
import type { NewUser } from './AddUserDialog.js'
import { type CredentialsLink, prepareCredentialsLink } from './credentials-link.js'

interface Props {
  heading: string
  user: NewUser
  onClosed(): void
}

/**
 * Hands over the credentials of a new user, or of one who gets a new password. A generated password is shown here only.
 */
export function UserCreatedDialog({ heading, user, onClosed }: Props) {
  const { t } = useTranslation('admin')
  const { username, password, isGenerated } = user
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const { link, isBusy, error, create } = useCredentialsLink(user)
  const { isAsking, markSaved, close } = useClosingQuestion(dialog, !isGenerated)
  return (
    <Dialog dialog={dialog} labelledBy={id} onClosed={onClosed} onCancel={close}>
      <div className="dialog stack">
        <h2 id={id}>{heading}</h2>
        <p>{t(isGenerated ? 'ready.shown-once' : 'ready.typed', { username })}</p>
        {isGenerated && (
          <code className="link-box" translate="no" onCopy={markSaved}>
            {password}
          </code>
        )}
        {link && <LinkSection link={link} onCopied={markSaved} />}
        {error !== null && <Notice kind="bad" role="alert" heading={errorMessage(error)} />}
        {isAsking && <NotCopiedNotice />}
        <div className="actions">
          {isGenerated && (
            <CopyButton text={password} onCopied={markSaved}>
              {t('ready.copy')}
            </CopyButton>
          )}
          {link ? (
            <CopyButton primary text={link.url} onCopied={markSaved}>
              {t('ready.copy-link')}
            </CopyButton>
          ) : (
            <button type="button" className="button primary" aria-disabled={isBusy} onClick={create}>
              <Icon name="lock" />
              {t(isBusy ? 'ready.sending' : 'ready.send')}
            </button>
          )}
          <button type="button" className="button" onClick={close}>
            {t(isAsking ? 'ready.close-anyway' : 'ready.done')}
          </button>
        </div>
      </div>
    </Dialog>
  )
}

function NotCopiedNotice() {
  const { t } = useTranslation('admin')
  return (
    <Notice kind="warn" role="alert" heading={t('ready.not-copied')}>
      {t('ready.not-copied-hint')}
    </Notice>
  )
}

function LinkSection({ link, onCopied }: { link: CredentialsLink; onCopied(): void }) {
  const { t } = useTranslation('admin')
  return (
    <section className="stack" aria-label={t('ready.link')}>
      <p role="status">{t('ready.link-works', { date: formatDateTime(link.expiresAt, language) })}</p>
      <code className="link-box" onCopy={onCopied}>
        {link.url}
      </code>
    </section>
  )
}

function useCredentialsLink(user: NewUser) {
  const { limits } = useSettings().settings
  const [createLink] = useState(() => prepareCredentialsLink(user, limits.ttlMax))
  const [link, setLink] = useState<CredentialsLink | null>(null)
  const { sendNow, isSending, error } = useSend(async () => setLink(await createLink()))
  return { link, isBusy: isSending, error, create: sendNow }
}
