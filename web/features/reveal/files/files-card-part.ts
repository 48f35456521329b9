import { loadNamespace } from '../../../lib/i18n.js'
import { createLazyPart } from '../../../lib/lazy-part.js'

/**
 * The code and the texts for files. Load it before the view of a secret with files, which must not be wasted.
 */
export const filesCardPart = createLazyPart(async () => {
  const [card] = await Promise.all([import('./FilesCard.js'), loadNamespace('files')])
  return card
})
