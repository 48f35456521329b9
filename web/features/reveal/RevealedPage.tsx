import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { BurnButton } from '../../components/BurnButton.js'
import { Lazy } from '../../components/Lazy.js'
import { Notice } from '../../components/Notice.js'
import { Page } from '../../components/Page.js'
import { ShareLink } from '../../components/ShareLink.js'
import { api } from '../../lib/api.js'
import { errorMessage } from '../../lib/error-message.js'
import { formatTime } from '../../lib/format.js'
import { formatDateTime } from '../../lib/format-time.js'
import { language } from '../../lib/i18n.js'
import { useAttempt } from '../../lib/use-attempt.js'
import { BinaryCard } from './BinaryCard.js'
import { filesCardPart } from './files/files-card-part.js'
import { type OpenedSecret, TEXT_PART, useOpenedState } from './opened-secret.js'
import { removeKeyFromUrl } from './spent-link.js'
import { TextCard } from './TextCard.js'

interface Props {
  opened: OpenedSecret
  /** Replaces the link to the form. */
  back?: ReactNode
  /** Facts about the sender. */
  origin?: string
  /** A warning about the content. */
  notice?: ReactNode
}

export function RevealedPage({ opened, back, origin, notice }: Props) {
  const { t } = useTranslation('reveal')
  const { id, title, text, bytes, files, warnings } = opened.content
  const [busyTitle, setBusyTitle] = useState<string | null>(null)
  const isTransferring = busyTitle !== null
  useEffect(() => {
    opened.setTransferring(isTransferring)
    return () => opened.setTransferring(false)
  }, [opened, isTransferring])
  const saveText = () => opened.markSaved([TEXT_PART])
  return (
    <Page heading={title || t('revealed.heading')} title={busyTitle ?? t('revealed.heading')}>
      {warnings.map((warning) => (
        <Notice key={warning} kind="bad" role="alert" heading={t(`mismatch.${warning}`)}>
          {t('mismatch.explanation')}
        </Notice>
      ))}
      {notice}
      {origin && <p className="hint">{origin}</p>}
      <RemainingViews opened={opened} />
      {text === null ? (
        <BinaryCard bytes={bytes} onSaved={saveText} />
      ) : (
        text !== '' && <TextCard text={text} onSaved={saveText} />
      )}
      {files.length > 0 && (
        <Lazy part={filesCardPart}>
          {({ FilesCard }) => (
            <FilesCard
              secretId={id}
              files={files}
              until={opened.filesUntil}
              onTitle={setBusyTitle}
              onSaved={opened.markSaved}
            />
          )}
        </Lazy>
      )}
      <p className="actions">{back ?? <ShareLink isPrimary={false} />}</p>
    </Page>
  )
}

/** The remaining views, and a button to delete the secret: it burns one with views left. */
function RemainingViews({ opened }: { opened: OpenedSecret }) {
  const { t } = useTranslation('reveal')
  const { id, files, viewsLeft, burnProof } = opened.content
  const { isBurned, openableUntil } = useOpenedState(opened)
  const { error, attempt } = useAttempt()
  const burn = async () => {
    await api.burn(id, burnProof ?? {})
    opened.markBurned()
    removeKeyFromUrl()
  }
  return (
    <div className="stack">
      <div role="status">
        <ViewsNotice opened={opened} />
      </div>
      {error !== null && <Notice kind="bad" role="alert" heading={errorMessage(error)} />}
      {burnProof && !isBurned && (
        <div className="actions">
          <BurnButton
            explanation={t(files.length > 0 ? 'left.burn-files' : 'left.burn-explanation')}
            onBurn={() => attempt(burn)}
          />
        </div>
      )}
      {viewsLeft === 0 && openableUntil !== null && (
        <div className="actions">
          <button type="button" className="button" onClick={() => attempt(opened.acknowledge)}>
            {t('left.delete')}
          </button>
        </div>
      )}
    </div>
  )
}

function ViewsNotice({ opened }: { opened: OpenedSecret }) {
  const { t } = useTranslation('reveal')
  const { files, viewsLeft, expiresAt } = opened.content
  const { isBurned, openableUntil } = useOpenedState(opened)
  if (viewsLeft === 0 || isBurned) {
    return (
      <Notice kind="warn" heading={t(isBurned ? 'left.burned' : 'left.none')}>
        {openableUntil !== null
          ? t('left.again', { time: formatTime(openableUntil, language) })
          : t(files.length > 0 ? 'left.save-it' : 'left.copy-it')}
      </Notice>
    )
  }
  const date = formatDateTime(expiresAt, language)
  return (
    <Notice kind="info">
      {viewsLeft === null ? t('left.kept', { date }) : t('left.views', { count: viewsLeft, date })}
    </Notice>
  )
}
