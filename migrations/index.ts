/** All migrations in order. Append only; never edit a released one. */
import { initial } from './001_initial.js'
import { files } from './002_files.js'
import { people } from './003_people.js'
import { stats } from './004_stats.js'
import { instanceState } from './005_instance_state.js'
import { requests } from './006_requests.js'
import { events } from './007_events.js'
import { requestNotify } from './008_request_notify.js'
import { notifications } from './012_notifications.js'
import { passwordResets } from './013_password_resets.js'
import { receipts } from './014_receipts.js'
import { verifiedEmails } from './015_verified_emails.js'
import { endedSecrets } from './016_ended_secrets.js'
import { userWebhooks } from './017_user_webhooks.js'
import { newEvents } from './018_new_events.js'
import type { Migration } from './migration.js'

export { createTable } from './create-table.js'
export type { Migration } from './migration.js'

export const migrations: Migration[] = [
  initial,
  files,
  people,
  stats,
  instanceState,
  requests,
  events,
  requestNotify,
  notifications,
  passwordResets,
  receipts,
  verifiedEmails,
  endedSecrets,
  userWebhooks,
  newEvents,
]
