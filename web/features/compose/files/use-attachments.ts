/** The files of the draft. */
import { t } from 'i18next'
import { useEffect, useRef, useState } from 'react'
import type { PublicSettings } from '#shared/api'
import { errorMessage } from '../../../lib/error-message.js'
import { useSettings } from '../../../lib/settings.js'
import type { Attachment, DroppedFiles } from '../draft/attachments.js'
import { useDraft } from '../draft/draft-store.js'
import { fileSupportPart } from './file-support-part.js'

export interface Attachments {
  files: Attachment[]
  /** Why the files that were chosen last could not be added; null when they were. */
  error: string | null
  add(incoming: DroppedFiles): void
  /** Null when nothing is being added. Resolves to false if files that were chosen could not be added. */
  adding(): Promise<boolean> | null
  remove(id: number): void
}

/** For everyone, not only for visitors. */
export const areUploadsOff = ({ disable_file_upload: isOff, limits }: PublicSettings): boolean =>
  isOff || limits.maxFiles === 0

/** `onChange`: called after a file was added or removed. */
export function useAttachments(onChange: () => void): Attachments {
  const { settings } = useSettings()
  const draft = useDraft()
  const [files, setFiles] = useState(draft.files)
  const [error, setError] = useState<string | null>(null)
  const adding = useRef<Promise<boolean> | null>(null)

  const update = (files: Attachment[]) => {
    draft.files = files
    setFiles(files)
    onChange()
  }
  /** Returns whether the files could be added. Never rejects. */
  async function addFiles(incoming: DroppedFiles): Promise<boolean> {
    if (!settings.uploads) {
      setError(
        t(areUploadsOff(settings) ? 'common:errors.settings.uploads_disabled' : 'common:errors.file.visitors_refused'),
      )
      return false
    }
    try {
      const { collectFiles } = await fileSupportPart.load()
      const added = await collectFiles(incoming)
      setError(added.length === 0 ? t('files:empty-folder') : null)
      update([...draft.files, ...added])
      return added.length > 0
    } catch (error) {
      setError(errorMessage(error))
      return false
    }
  }
  function add(incoming: DroppedFiles): void {
    const before = adding.current ?? true
    const all = Promise.all([before, addFiles(incoming)]).then((added) => added.every(Boolean))
    adding.current = all
    void all.finally(() => {
      if (adding.current === all) adding.current = null
    })
  }
  // Files that were added before the app started. Later renders find none.
  useEffect(() => draft.added.splice(0).forEach(add))
  const remove = (id: number) => update(draft.files.filter((each) => each.id !== id))
  return { files, error, add, adding: () => adding.current, remove }
}
