/** Parts of the app that the browser loads only when they are needed. */
import { NetworkError } from '#shared/client/client'
import { site } from './site.js'

/** A file of this build is gone although the server responds: it was updated since the page was loaded. */
export class OutdatedError extends Error {
  override readonly name = 'OutdatedError'
}

export interface LazyPart<Module> {
  /** Loads it once; after an error the next call tries again. Rejects with OutdatedError or NetworkError. */
  load(): Promise<Module>
  /** Null until it is loaded. */
  current(): Module | null
}

export function createLazyPart<Module>(load: () => Promise<Module>): LazyPart<Module> {
  let loaded: Module | null = null
  let loading: Promise<Module> | null = null
  async function loadOnce(): Promise<Module> {
    try {
      loaded = await loadPart(load)
      return loaded
    } catch (cause) {
      throw cause instanceof OutdatedError ? cause : new NetworkError('not loaded', { cause })
    } finally {
      loading = null
    }
  }
  return {
    async load() {
      if (loaded !== null) return loaded
      loading ??= loadOnce()
      return loading
    },
    current: () => loaded,
  }
}

/** Calls `load`, which imports modules. When they cannot be loaded, rejects with OutdatedError or NetworkError. */
export async function loadPart<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load().catch((cause) => {
      if (isImportError(cause)) return load()
      throw cause
    })
  } catch (cause) {
    throw isImportError(cause) ? await toLoadError(cause) : cause
  }
}

/**
 * The reason why a file could not be loaded. Browsers do not report whether the server responded, so this asks again:
 * for the file at `address`, or for the home page when the file is not known.
 */
export async function toLoadError(cause: unknown, address?: string): Promise<Error> {
  const status = await fetchStatus(address ?? `${site.base}/`)
  if (status === (address === undefined ? 200 : 404)) {
    return new OutdatedError('outdated', { cause })
  }
  return new NetworkError('not loaded', { cause })
}

/** The messages of Chrome, Firefox and Safari. */
const isImportError = (cause: unknown): boolean =>
  cause instanceof TypeError && /dynamically imported module|module script/.test(cause.message)

/** Null when the server cannot be reached. */
async function fetchStatus(address: string): Promise<number | null> {
  try {
    return (await fetch(address, { method: 'HEAD', cache: 'no-store' })).status
  } catch {
    return null
  }
}
