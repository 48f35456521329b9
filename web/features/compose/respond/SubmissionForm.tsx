import { useTranslation } from 'react-i18next'
import { Icon } from '../../../components/Icon.js'
import { Lazy } from '../../../components/Lazy.js'
import { startRequestWorker } from '../../../crypto-worker/request-crypto.js'
import { formatBytes, formatNumber } from '../../../lib/format.js'
import { formatDateTime, formatRelativeTime } from '../../../lib/format-time.js'
import { language } from '../../../lib/i18n.js'
import { AttachField, fileSupportPart, SendForm, TextField } from '../ComposePage.js'
import type { AnsweredRequest } from './use-respond.js'
import { useSubmission } from './use-submission.js'

interface Props {
  request: AnsweredRequest
  /** Whether the instance and the requester accept files. */
  acceptsFiles: boolean
  onSent(expiresAt: number): void
}

export function SubmissionForm({ request, acceptsFiles, onSent }: Props) {
  const { t } = useTranslation('requests')
  const { draftForm, recheck } = useSubmission(request, onSent)
  const { attachments, problems } = draftForm
  const type = () => {
    startRequestWorker()
    recheck()
  }
  return (
    <SendForm
      draftForm={draftForm}
      heading={t('respond.heading')}
      lede={t('respond.lede')}
      above={<RequestCard request={request} acceptsFiles={acceptsFiles} />}
      submitRow={(isBusy) => (
        <button type="submit" className="button primary large whole" aria-disabled={isBusy}>
          <Icon name="lock" />
          {t(isBusy ? 'respond.busy' : 'respond.send')}
        </button>
      )}
      texts={{ creating: t('respond.sending'), leave: t('respond.leave') }}
    >
      {(isClosed, sent) => (
        <>
          <TextField problem={problems.text} isClosed={isClosed} onTyping={type}>
            {acceptsFiles && <AttachField attachments={attachments} problem={problems.files} isClosed={isClosed} />}
          </TextField>
          {attachments.files.length > 0 && (
            <fieldset role="presentation" disabled={isClosed}>
              <Lazy part={fileSupportPart}>
                {({ FileList }) => (
                  <FileList files={attachments.files} isPublic={false} sent={sent} onRemove={attachments.remove} />
                )}
              </Lazy>
            </fieldset>
          )}
        </>
      )}
    </SendForm>
  )
}

/** Title and instructions of the requester, as plain text, and the limits. */
function RequestCard({ request, acceptsFiles }: Pick<Props, 'request' | 'acceptsFiles'>) {
  const { t } = useTranslation('requests')
  const { text, expiresAt, submissionsLeft, maxBytes } = request
  const date = formatDateTime(expiresAt, language)
  const relative = formatRelativeTime(expiresAt, Date.now(), language)
  return (
    <section className="card" aria-label={t('respond.asked')}>
      <h2>{t('respond.asked')}</h2>
      {text?.title && (
        <p>
          <strong>
            <bdi>{text.title}</bdi>
          </strong>
        </p>
      )}
      {text?.instructions && (
        <p className="message" dir="auto">
          {text.instructions}
        </p>
      )}
      <dl className="facts">
        <dt>{t('common:facts.expires')}</dt>
        <dd>
          <time dateTime={new Date(expiresAt).toISOString()}>{t('common:facts.date', { date, relative })}</time>
        </dd>
        <dt>{t('respond.left')}</dt>
        <dd>{formatNumber(submissionsLeft, language)}</dd>
        {maxBytes !== null && (
          <>
            <dt>{t('respond.limit')}</dt>
            <dd>{formatBytes(maxBytes, language)}</dd>
          </>
        )}
      </dl>
      {!acceptsFiles && <p className="hint">{t('respond.text-only')}</p>}
      <p className="hint">{t('respond.warning')}</p>
    </section>
  )
}
