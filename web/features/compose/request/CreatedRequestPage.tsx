import { type PropsWithChildren, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../components/CopyButton.js'
import { Icon } from '../../../components/Icon.js'
import { Notice } from '../../../components/Notice.js'
import { Page } from '../../../components/Page.js'
import { UnsavedChangesDialog } from '../../../components/UnsavedChangesDialog.js'
import { downloadFile } from '../../../lib/download-file.js'
import { formatDateTimeWithZone } from '../../../lib/format.js'
import { formatDateTime } from '../../../lib/format-time.js'
import { language } from '../../../lib/i18n.js'
import { useSession } from '../../../lib/session/session-store.js'
import { KeptLabel } from '../link/KeptLabel.js'
import { LinkActions } from '../link/LinkActions.js'
import { LinkExtras } from '../link/LinkExtras.js'
import { type CreatedRequestLinks, createdRequests } from './created-requests.js'
import { KeepCollectLink } from './KeepCollectLink.js'

interface Props {
  request: CreatedRequestLinks
  onAnother(): void
}

/** The link to send and the link to keep. Asks before the user leaves without the second one. */
export function CreatedRequestPage({ request, onAnother }: Props) {
  const { t } = useTranslation('requests')
  const [{ isSaved, isKept }, setState] = useState(request)
  const isSignedIn = useSession() !== null
  const change = (changed: Partial<CreatedRequestLinks>) => {
    const changedRequest = { ...request, isSaved, isKept, ...changed }
    createdRequests.set(request.id, changedRequest)
    setState(changedRequest)
  }
  return (
    <Page
      heading={t('created.heading')}
      lede={t('created.lede', { date: formatDateTime(request.expiresAt, language) })}
    >
      {request.notifyWarning && <Notice kind="warn">{t(`compose:notify.${request.notifyWarning}`)}</Notice>}
      <RequestLinkCard request={request} />
      <CollectLinkCard request={request} onSaved={() => change({ isSaved: true })}>
        {isSignedIn && <KeepCollectLink request={request} isKept={isKept} onChange={(isKept) => change({ isKept })} />}
      </CollectLinkCard>
      <KeptLabel id={request.id} expiresAt={request.expiresAt} />
      <div>
        <button type="button" className="button" onClick={onAnother}>
          {t('own.new')}
        </button>
      </div>
      {!isSaved && !isKept && (
        <UnsavedChangesDialog
          heading={t('created.leave.question')}
          explanation={t('created.leave.explanation')}
          cancelLabel={t('common:leave.stay')}
          confirmLabel={t('common:leave.confirm')}
        />
      )}
    </Page>
  )
}

function RequestLinkCard({ request: { requestLink, expiresAt } }: { request: CreatedRequestLinks }) {
  const { t } = useTranslation('requests')
  const id = useId()
  const message = t('created.message', { link: requestLink, date: formatDateTimeWithZone(expiresAt, language) })
  return (
    <section className="card" aria-labelledby={id}>
      <h2 id={id}>{t('created.request-link')}</h2>
      <p className="hint">{t('created.request-hint')}</p>
      <code className="link-box">{requestLink}</code>
      <LinkActions link={requestLink} message={message} />
      <LinkExtras link={requestLink} message={message} isMessageCopiedElsewhere />
    </section>
  )
}

function CollectLinkCard({
  request: { id: requestId, collectLink },
  onSaved,
  children,
}: PropsWithChildren<{ request: CreatedRequestLinks; onSaved(): void }>) {
  const { t } = useTranslation('requests')
  const id = useId()
  const download = () => {
    // Only the link, so that the command line can read the file.
    downloadFile(`collect-${requestId.slice(0, 8)}.txt`, `${collectLink}\n`)
    onSaved()
  }
  return (
    <section className="card" aria-labelledby={id}>
      <h2 id={id}>{t('created.collect-link')}</h2>
      <Notice kind="warn" heading={t('created.collect-heading')}>
        {t('created.collect-hint')}
      </Notice>
      <code className="link-box">{collectLink}</code>
      <div className="actions">
        <CopyButton text={collectLink} onCopied={onSaved}>
          {t('created.copy-collect')}
        </CopyButton>
        <button type="button" className="button" onClick={download}>
          <Icon name="download" />
          {t('created.download')}
        </button>
      </div>
      {children}
    </section>
  )
}
