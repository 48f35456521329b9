/** The files of the draft. */
import { t } from 'i18next'
import { useState } from 'react'
import type { PublicSettings } from '#shared/api'
import { errorMessage } from '../../../lib/error-message.js'
import { useSettings } from '../../../lib/settings.js'
import type { Attachment } from '../draft/attachments.js'
import { useDraft } from '../draft/draft-store.js'
import { loadFileSupport } from './load-file-support.js'
import type { DroppedFiles } from './use-file-drop.js'

export interface Attachments {
  files: Attachment[]
  /** Why the files that were chosen last could not be added; null when they were. */
  error: string | null
  add(incoming: DroppedFiles): Promise<void>
  remove(id: number): void
}

/** For everyone, not only for visitors. */
export const areUploadsOff = ({ disable_file_upload: isOff, limits }: PublicSettings): boolean =>
  isOff || limits.maxFiles === 0

export function useAttachments(): Attachments {
  const { settings } = useSettings()
  const draft = useDraft()
  const [files, setFiles] = useState(draft.files)
  const [error, setError] = useState<string | null>(null)

  const update = (files: Attachment[]) => {
    draft.files = files
    setFiles(files)
  }
  async function add(incoming: DroppedFiles): Promise<void> {
    if (!settings.uploads) {
      setError(
        t(areUploadsOff(settings) ? 'common:errors.settings.uploads_disabled' : 'common:errors.file.visitors_refused'),
      )
      return
    }
    try {
      const { collectFiles } = await loadFileSupport()
      const added = await collectFiles(incoming)
      setError(added.length === 0 ? t('files:empty-folder') : null)
      update([...draft.files, ...added])
    } catch (error) {
      setError(errorMessage(error))
    }
  }
  return { files, error, add, remove: (id) => update(draft.files.filter((each) => each.id !== id)) }
}
