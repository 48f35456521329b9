import { useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { AttachedFile } from '#shared/client/viewed-content'
import type { EpochMs } from '#shared/epoch-ms'
import { Icon } from '../../../components/Icon.js'
import { Notice } from '../../../components/Notice.js'
import { TransferProgress } from '../../../components/TransferProgress.js'
import { formatBytes, formatPercent, formatTime } from '../../../lib/format.js'
import { language } from '../../../lib/i18n.js'
import type { TransferState } from '../../../lib/transfers/transfer-speed.js'
import { fileErrorMessage } from './file-error-message.js'
import { ImagePreview } from './ImagePreview.js'
import { previewType } from './image-types.js'
import { type Downloads, useDownloads } from './use-downloads.js'
import { useRestoreFocus } from './use-restore-focus.js'

interface Props {
  secretId: string
  files: AttachedFile[]
  /** When they can no longer be downloaded. */
  until: EpochMs
  /** Called with the window title during a download, and with null afterwards. */
  onTitle(title: string | null): void
  /** Called with the ids of files that were handed to the downloads of the browser. */
  onSaved(ids: string[]): void
}

/** The files of a viewed secret, with download buttons and previews. */
export function FilesCard({ secretId, files, until, onTitle, onSaved }: Props) {
  const { t } = useTranslation('files')
  const id = useId()
  const downloads = useDownloads(secretId, files, onSaved)
  const time = formatTime(until, language)
  const { active, hasExpired, saved } = downloads
  const isSavingAll = active?.id === null
  const title = active ? formatPercent(active.state.percent, language) : null
  useRestoreFocus(active !== null)
  useEffect(() => onTitle(title), [title, onTitle])
  const size = formatBytes(
    files.reduce((sum, { size }) => sum + size, 0),
    language,
  )
  return (
    <section className="card" aria-labelledby={id}>
      <div className="between">
        <h2 id={id}>{t('received.heading', { count: files.length })}</h2>
        {files.length > 1 && (
          <button type="button" className="button" aria-disabled={active !== null} onClick={downloads.saveAll}>
            <Icon name="download" />
            {t('received.save-all', { size })}
          </button>
        )}
      </div>
      {hasExpired ? (
        <Notice kind="bad" role="alert" heading={t('received.over.heading')}>
          {t('received.over.explanation')}
        </Notice>
      ) : (
        <p className="hint">{t('received.soon', { time })}</p>
      )}
      {isSavingAll && <AllProgress state={active.state} onCancel={downloads.cancel} />}
      <ul className="files">
        {files.map((file, index) => (
          <FileRow key={file.id} file={file} name={downloads.names[index] ?? ''} until={time} downloads={downloads} />
        ))}
      </ul>
      <p className="only-read" role="status">
        {saved.size > 0 && active === null && t('received.status', { count: saved.size })}
      </p>
    </section>
  )
}

function AllProgress(props: Parameters<typeof DownloadProgress>[0]) {
  return (
    <div className="stack">
      <DownloadProgress {...props} />
    </div>
  )
}

interface RowProps {
  file: AttachedFile
  name: string
  /** Time of the day: when it can no longer be downloaded. */
  until: string
  downloads: Downloads
}

function FileRow({ file, name, until, downloads }: RowProps) {
  const { t } = useTranslation('files')
  const { active, saved, failed, previews, hasExpired, save, show, hide, cancel } = downloads
  const id = useId()
  const isUnderway = active?.id === file.id
  const isSaved = saved.has(file.id)
  const error = failed.get(file.id)
  const picture = previews.get(file.id)
  const type = previewType(file)
  return (
    <li>
      <bdi className="name" translate="no" id={id}>
        {name}
      </bdi>
      <span className="hint">{formatBytes(file.size, language)}</span>
      {isUnderway && <DownloadProgress state={active.state} onCancel={cancel} />}
      {file.ticket !== null && (
        <div className="actions" hidden={isUnderway}>
          {type && (
            <button
              type="button"
              className="button icon-only"
              aria-label={t('received.show', { name })}
              aria-pressed={picture !== undefined}
              aria-disabled={active !== null}
              onClick={() => (picture ? hide(file.id) : show(file, type))}
            >
              <Icon name="eye" />
            </button>
          )}
          <button
            type="button"
            className="button"
            aria-describedby={id}
            aria-disabled={active !== null}
            onClick={() => save(file)}
          >
            <Icon name={isSaved ? 'check' : 'download'} />
            {t(isSaved ? 'received.save-again' : 'received.save')}
          </button>
        </div>
      )}
      {picture && <ImagePreview blob={picture} name={name} />}
      {file.ticket === null && <p className="error">{t('received.missing')}</p>}
      {error !== undefined && (
        <p className="error" role="alert">
          {fileErrorMessage(error)} {!hasExpired && t('received.retry', { time: until })}
        </p>
      )}
    </li>
  )
}

function DownloadProgress({ state, onCancel }: { state: TransferState; onCancel(): void }) {
  const { t } = useTranslation('files')
  const button = useRef<HTMLButtonElement>(null)
  // The button that had the focus was removed.
  useEffect(() => button.current?.focus(), [])
  return (
    <>
      <button ref={button} type="button" className="button" onClick={onCancel}>
        {t('cancel')}
      </button>
      <TransferProgress label={t('received.underway')} state={state} />
    </>
  )
}
