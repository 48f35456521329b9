import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { BurnButton } from '../../components/BurnButton.js'
import { Link } from '../../components/Link.js'
import { Notice } from '../../components/Notice.js'
import { Page } from '../../components/Page.js'
import { api } from '../../lib/api.js'
import { errorMessage } from '../../lib/error-message.js'
import { formatDateTime } from '../../lib/format.js'
import { language } from '../../lib/i18n.js'
import { paths } from '../../lib/paths.js'
import { BinaryCard } from './BinaryCard.js'
import { loadFilesCard } from './files/load-files-card.js'
import type { RevealedSecret } from './revealed-content.js'
import { removeKeyFromUrl } from './spent-link.js'
import { TextCard } from './TextCard.js'

const FilesCard = lazy(async () => ({ default: (await loadFilesCard()).FilesCard }))

/** `back`: replaces the link to the form. */
export function RevealedPage({ content, back }: { content: RevealedSecret; back?: ReactNode }) {
  const { t } = useTranslation('secret')
  const { id, title, text, bytes, files, warnings } = content
  const [busyTitle, setBusyTitle] = useState<string | null>(null)
  return (
    <Page heading={title || t('revealed.heading')} title={busyTitle ?? t('revealed.heading')}>
      {warnings.map((warning) => (
        <Notice key={warning} kind="bad" role="alert" heading={t(`mismatch.${warning}`)}>
          {t('mismatch.explanation')}
        </Notice>
      ))}
      <RemainingViews content={content} />
      {text === null ? <BinaryCard bytes={bytes} /> : text !== '' && <TextCard text={text} />}
      {files.length > 0 && (
        <Suspense>
          <FilesCard secretId={id} files={files} onTitle={setBusyTitle} />
        </Suspense>
      )}
      <p className="actions">
        {back ?? (
          <Link className="button" to={paths.home}>
            {t('revealed.back')}
          </Link>
        )}
      </p>
    </Page>
  )
}

/** The remaining views, and a button to burn the secret. */
function RemainingViews({ content: { id, files, viewsLeft, expiresAt, burnProof } }: { content: RevealedSecret }) {
  const { t } = useTranslation('secret')
  const [isBurned, setBurned] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const date = formatDateTime(expiresAt, language)
  const burn = async () => {
    setError(null)
    try {
      await api.burn(id, burnProof ?? {})
      setBurned(true)
      removeKeyFromUrl()
    } catch (cause) {
      setError(cause)
    }
  }
  return (
    <div className="stack">
      <div role="status">
        {viewsLeft === 0 || isBurned ? (
          <Notice kind="warn" heading={t(isBurned ? 'left.burned' : 'left.none')}>
            {t(files.length > 0 ? 'left.save-it' : 'left.copy-it')}
          </Notice>
        ) : (
          <Notice kind="info">
            {viewsLeft === null ? t('left.kept', { date }) : t('left.views', { count: viewsLeft, date })}
          </Notice>
        )}
      </div>
      {error !== null && <Notice kind="bad" role="alert" heading={errorMessage(error)} />}
      {burnProof && !isBurned && (
        <div className="actions">
          <BurnButton explanation={t(files.length > 0 ? 'left.burn-files' : 'left.burn-explanation')} onBurn={burn} />
        </div>
      )}
    </div>
  )
}
