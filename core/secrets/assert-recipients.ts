import type { App } from '../app.js'
import { AppError } from '../lib/errors.js'
import type { CreateSecret } from '../shared/api/index.js'

/** Refuses recipients if the instance cannot check them. Throws AppError `mail.unavailable` with the field. */
export function assertCanCheckRecipients({ settings }: App, { recipients }: CreateSecret): void {
  if (recipients !== undefined && !settings.canVerifyEmail)
    throw new AppError('mail.unavailable', { field: 'recipients' })
}
