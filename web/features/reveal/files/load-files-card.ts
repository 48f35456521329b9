import { NetworkError } from '#shared/client'
import { loadNamespace } from '../../../lib/i18n.js'

/** What only files need, with its words. It is here before a view is spent on a secret that has some. Throws NetworkError. */
export async function loadFilesCard(): Promise<typeof import('./FilesCard.js')> {
  try {
    const [card] = await Promise.all([import('./FilesCard.js'), loadNamespace('files')])
    return card
  } catch (cause) {
    throw new NetworkError('a part of this page could not be loaded', { cause })
  }
}
