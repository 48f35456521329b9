import { NetworkError } from '#shared/client/client'
import { loadNamespace } from '../../../lib/i18n.js'

/** Loads the code and the texts for files. Called before the view of a secret with files, which must not be wasted. Throws NetworkError. */
export async function loadFilesCard(): Promise<typeof import('./FilesCard.js')> {
  try {
    const [card] = await Promise.all([import('./FilesCard.js'), loadNamespace('files')])
    return card
  } catch (cause) {
    throw new NetworkError('a part of this page could not be loaded', { cause })
  }
}
