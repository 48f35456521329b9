import { useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../../components/CopyButton.js'
import { Dialog } from '../../../../components/Dialog.js'
import { Icon } from '../../../../components/Icon.js'
import { Notice } from '../../../../components/Notice.js'
import { useClosingQuestion } from '../../../../components/use-closing-question.js'
import { downloadFile } from '../../../../lib/download-file.js'
import { useAccount } from '../../../../lib/session/require-session.js'

/** Shows new recovery codes. They cannot be shown again, so closing it without saving them needs a second press. */
export function RecoveryCodesDialog({ codes, onClosed }: { codes: string[]; onClosed(): void }) {
  const { t } = useTranslation('security')
  const { username } = useAccount()
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const { isAsking, markSaved, close } = useClosingQuestion(dialog)
  const download = () => {
    downloadFile('recovery-codes.txt', `${location.host}\n${username}\n\n${codes.join('\n')}\n`)
    markSaved()
  }
  return (
    <Dialog dialog={dialog} labelledBy={id} onClosed={onClosed} onCancel={close}>
      <div className="dialog stack">
        <h2 id={id}>{t('codes.ready')}</h2>
        <p>
          {t('codes.explanation')} {t('codes.once')}
        </p>
        <ul className="recovery-codes" translate="no" dir="ltr" onCopy={markSaved}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        {isAsking && <Notice kind="warn" role="alert" heading={t('codes.not-saved')} />}
        <div className="actions">
          <button type="button" className="button primary" onClick={download}>
            <Icon name="download" />
            {t('codes.download')}
          </button>
          <CopyButton text={codes.join('\n')} onCopied={markSaved}>
            {t('codes.copy')}
          </CopyButton>
          <button type="button" className="button" onClick={close}>
            {t(isAsking ? 'codes.close-anyway' : 'account:tokens.done')}
          </button>
        </div>
      </div>
    </Dialog>
  )
}
