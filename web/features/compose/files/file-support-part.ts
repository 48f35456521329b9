import { loadNamespace } from '../../../lib/i18n.js'
import { createLazyPart } from '../../../lib/lazy-part.js'

/** The code and the texts for files. */
export const fileSupportPart = createLazyPart(async () => {
  const [files] = await Promise.all([import('./file-support.js'), loadNamespace('files')])
  return files
})
