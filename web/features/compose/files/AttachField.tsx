import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../../components/Icon.js'
import { useSettings } from '../../../lib/settings.js'
import type { Problems } from '../draft-options.js'
import { problemText } from '../problem-message.js'
import type { Attaching } from './use-attached-files.js'
import { useIncoming } from './use-file-drop.js'

interface Props {
  attaching: Attaching
  problem: Problems['files']
  /** While a secret is being sent, nothing is added to it. */
  isClosed: boolean
}

/** Where files are chosen, dropped and pasted. The input lies over its label, so that a click, a key and a drop all reach it. */
export function AttachField({ attaching: { add, refusal }, problem, isClosed }: Props) {
  const { t } = useTranslation('home')
  const { limits } = useSettings().settings
  const id = useId()
  const held = useIncoming((incoming) => isClosed || void add(incoming))
  const error = refusal ?? problemText('files', problem, limits)
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
            // The same file may be chosen again after it was taken off.
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
        <p className="error" id={`${id}-error`} role={refusal ? 'alert' : undefined}>
          {error}
        </p>
      )}
      {held > 0 && !isClosed && (
        <div className="drop-here" role="status">
          {t('attach.drop', { count: held })}
        </div>
      )}
    </div>
  )
}
