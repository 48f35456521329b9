import { isAppError } from '#core'
import { ApiError } from '#shared/client/client'

/** Attempts to change settings while others change them too. */
const ATTEMPTS = 5

/** Reads and changes settings with `change`, and again when another administrator has changed them in between. */
export async function repeatIfChanged<T>(change: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await change()
    } catch (error) {
      const isChanged = (isAppError(error) || error instanceof ApiError) && error.code === 'settings.changed'
      if (!isChanged || attempt === ATTEMPTS) throw error
    }
  }
}
