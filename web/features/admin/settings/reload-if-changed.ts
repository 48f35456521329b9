import { ApiError } from '#shared/client/client'

/**
 * Returns what `saving` resolves to. If another administrator has changed the same settings, it loads them for
 * `showCurrent`. Rejects as `saving` does.
 */
export async function reloadIfChanged<T>(
  saving: Promise<T>,
  load: () => Promise<T>,
  showCurrent: (current: T) => void,
): Promise<T> {
  try {
    return await saving
  } catch (cause) {
    if (cause instanceof ApiError && cause.code === 'settings.changed') showCurrent(await load())
    throw cause
  }
}
