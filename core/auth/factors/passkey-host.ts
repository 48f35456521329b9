/** The host for which passkeys were created. Browsers use a passkey only on its host. */
import type { App } from '../../app.js'
import { relyingParty } from './passkeys.js'

/** Name among the settings, which are in backups, of the host of the newest passkey. */
export const PASSKEY_HOST = 'passkey_host'

/** Call it when a passkey was added. */
export async function recordPasskeyHost(app: App): Promise<void> {
  const { settings } = app.storage
  const { id } = relyingParty(app)
  if ((await settings.getAll())[PASSKEY_HOST] !== id) await settings.set({ [PASSKEY_HOST]: id })
}
