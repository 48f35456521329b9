import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../../components/Icon.js'
import { useSettings } from '../../../lib/settings.js'
import { problemMessage } from '../draft/problem-message.js'
import type { Problems } from '../draft/validate-draft.js'
import type { Attachments } from './use-attachments.js'
import { useFileDrop } from './use-file-drop.js'

interface Props {
  attachments: Attachments
  problem: Problems['files']
  /** While the secret is sent. */
  isClosed: boolean
}

/** Chooses files; files can also be dropped or pasted. The input covers its label, so that it gets clicks, keys and drops. */
export function AttachField({ attachments: { add, error: addError }, problem, isClosed }: Props) {
  const { t } = useTranslation('home')
  const { limits } = useSettings().settings
  const id = useId()
  const draggedCount = useFileDrop((dropped) => isClosed || void add(dropped))
  const error = addError ?? problemMessage('files', problem, limits)
  return (
    <div className="attach">
      <span className="button quiet">
        <input
          id={id}
          type="file"
          multiple
          aria-describedby={error ? `${id}-hint ${id}-error` : `${id}-hint`}
          aria-invalid={error ? true : undefined}
          onChange={({ target }) => {
            void add({ files: [...(target.files ?? [])], entries: [] })
            // Else choosing a removed file again would send no event.
            target.value = ''
          }}
        />
        <Icon name="clip" />
        <label htmlFor={id}>{t('attach.action')}</label>
      </span>
      <span className="hint" id={`${id}-hint`}>
        {t('attach.hint')}
      </span>
      {error && (
        <p className="error" id={`${id}-error`} role={addError ? 'alert' : undefined}>
          {error}
        </p>
      )}
      {draggedCount > 0 && !isClosed && (
        <div className="drop-here" role="status">
          {t('attach.drop', { count: draggedCount })}
        </div>
      )}
    </div>
  )
}
