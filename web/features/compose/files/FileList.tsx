import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../../components/Icon.js'
import { formatBytes, sanitizeName } from '../../../lib/format.js'
import { language } from '../../../lib/i18n.js'
import { useSettings } from '../../../lib/settings.js'
import { type Attachment, isTooLarge, totalSize } from '../draft/attachments.js'
import type { UploadStatus } from './upload-files.js'

interface Props {
  files: Attachment[]
  isPublic: boolean
  /** Null when nothing is uploaded. */
  sent: UploadStatus | null
  onRemove(id: number): void
}

/** The attached files, with their upload progress. */
export function FileList({ files, isPublic, sent, onRemove }: Props) {
  const { t } = useTranslation('files')
  const { limits } = useSettings().settings
  const list = useRef<HTMLUListElement>(null)
  const current = files.findIndex(({ id }) => id === sent?.file.id)

  const remove = (id: number, index: number) => {
    // Moves the focus to the next file, or to the file input after the last one.
    const next = list.current?.querySelectorAll('button')[index + 1]
    const attach = list.current?.closest('form')?.querySelector<HTMLElement>('input[type=file]')
    ;(next ?? attach)?.focus()
    onRemove(id)
  }
  const uploadedBytes = (index: number, size: number): number =>
    index < current ? size : index === current ? (sent?.file.done ?? 0) : 0
  return (
    <div>
      <ul ref={list} className="files" aria-label={t('list')}>
        {files.map((each, index) => (
          <li key={each.id}>
            <Name name={each.name} />
            <span className="hint">{formatBytes(each.file.size, language)}</span>
            {sent === null ? (
              <button
                type="button"
                className="button quiet icon-only"
                aria-label={t('remove', { name: sanitizeName(each.name) })}
                onClick={() => remove(each.id, index)}
              >
                <Icon name="close" />
              </button>
            ) : (
              <progress
                aria-label={sanitizeName(each.name)}
                max={each.file.size || 1}
                value={each.file.size === 0 ? Number(index < current) : uploadedBytes(index, each.file.size)}
              />
            )}
            {isTooLarge(each, isPublic, limits) && (
              <p className="error" role="status">
                {t('too-large', { limit: formatBytes(limits.maxFileBytes, language) })}
              </p>
            )}
          </li>
        ))}
      </ul>
      <p className="hint" role="status">
        {t('count', { count: files.length, size: formatBytes(totalSize(files), language) })}{' '}
        {isPublic && t('public', { limit: formatBytes(limits.maxTextBytes, language) })}
      </p>
    </div>
  )
}

function Name({ name }: { name: string }) {
  return (
    <bdi className="name" translate="no">
      {sanitizeName(name)}
    </bdi>
  )
}
