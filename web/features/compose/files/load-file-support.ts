import { NetworkError } from '#shared/client/client'
import { loadNamespace } from '../../../lib/i18n.js'

/** Loads the code and the texts for files. Throws NetworkError. */
export async function loadFileSupport(): Promise<typeof import('./file-support.js')> {
  try {
    const [files] = await Promise.all([import('./file-support.js'), loadNamespace('files')])
    return files
  } catch (cause) {
    throw new NetworkError('a part of this page could not be loaded', { cause })
  }
}
