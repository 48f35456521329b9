import type { NotifyWarning } from '#shared/api'
import type { Io } from './io.js'

const WARNINGS: Record<NotifyWarning, string> = {
  address_not_verified:
    'no e-mail is sent until you confirm the address of your account, with the link in the e-mail you got',
  notifications_off: 'no e-mail is sent: the notifications of your account are off',
}

/** Warns if the server cannot send the requested notification by e-mail. */
export function warnAboutNotify({ notifyWarning }: { notifyWarning?: NotifyWarning | undefined }, io: Io): void {
  const warning = notifyWarning && WARNINGS[notifyWarning]
  if (warning) io.warn(warning)
}
