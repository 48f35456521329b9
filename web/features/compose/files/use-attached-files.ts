/** The files of the draft: added, taken off again, and why some cannot be added. */
import { t } from 'i18next'
import { useState } from 'react'
import { errorText } from '../../../lib/error-message.js'
import { useSettings } from '../../../lib/settings.js'
import { kept } from '../draft-options.js'
import type { Attached } from './attached-files.js'
import { loadFiles } from './load-file-support.js'
import type { Incoming } from './use-file-drop.js'

export interface Attaching {
  files: Attached[]
  /** Why what was chosen last is not among them; null: it is. */
  refusal: string | null
  add(incoming: Incoming): Promise<void>
  remove(id: number): void
}

export function useAttached(): Attaching {
  const { uploads, disable_file_upload: isOff, limits } = useSettings().settings
  const [files, setFiles] = useState(kept.files)
  const [refusal, setRefusal] = useState<string | null>(null)

  const keep = (files: Attached[]) => {
    kept.files = files
    setFiles(files)
  }
  async function add(incoming: Incoming): Promise<void> {
    if (!uploads) {
      const isForNobody = isOff || limits.maxFiles === 0
      setRefusal(t(isForNobody ? 'common:errors.settings.uploads_disabled' : 'common:errors.file.visitors_refused'))
      return
    }
    try {
      const { unpack } = await loadFiles()
      const added = await unpack(incoming)
      setRefusal(added.length === 0 ? t('files:empty-folder') : null)
      keep([...kept.files, ...added])
    } catch (error) {
      setRefusal(errorText(error))
    }
  }
  return { files, refusal, add, remove: (id) => keep(kept.files.filter((each) => each.id !== id)) }
}
