import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../../components/Icon.js'
import { Link } from '../../../components/Link.js'
import { paths } from '../../../lib/paths.js'
import { useSession } from '../../../lib/session/session-store.js'
import { useSettings } from '../../../lib/settings.js'
import { problemMessage } from '../draft/problem-message.js'
import type { Problems } from '../draft/validate-draft.js'
import { type Attachments, areUploadsOff } from './use-attachments.js'
import { useFileDrop } from './use-file-drop.js'

interface Props {
  attachments: Attachments
  problem: Problems['files']
  /** While the secret is sent. */
  isClosed: boolean
}

/**
 * Chooses files; files can also be dropped or pasted. The input covers its label, so that it gets clicks, keys and
 * drops.
 */
export function AttachField({ attachments: { add, error: addError }, problem, isClosed }: Props) {
  const { t } = useTranslation('compose')
  const { settings } = useSettings()
  const isSignedOut = useSession() === null
  const needsSignIn = isSignedOut && !settings.uploads && !areUploadsOff(settings)
  const id = useId()
  const draggedCount = useFileDrop((dropped) => isClosed || add(dropped))
  const error = addError ?? problemMessage('files', problem, settings.limits)
  return (
    <div className="attach">
      <span className="button quiet">
        <input
          id={id}
          type="file"
          multiple
          disabled={isClosed}
          aria-describedby={error ? `${id}-hint ${id}-error` : `${id}-hint`}
          aria-invalid={error ? true : undefined}
          onChange={({ target }) => {
            add({ files: [...(target.files ?? [])], entries: [] })
            // Else choosing a removed file again would send no event.
            target.value = ''
          }}
        />
        <Icon name="clip" />
        <label htmlFor={id}>{t('attach.action')}</label>
      </span>
      {needsSignIn ? (
        <span className="hint" id={`${id}-hint`}>
          {!addError && t('common:errors.file.visitors_refused')}{' '}
          <Link to={`${paths.signIn}?to=${paths.home}`}>{t('common:frame.sign-in')}</Link>
        </span>
      ) : (
        <span className="hint drop-hint" id={`${id}-hint`}>
          {t('attach.hint')}
        </span>
      )}
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
