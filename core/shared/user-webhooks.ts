/** Limits and checks of the webhooks of single users, shared by client and server. */
import { listFacts } from './event-catalog.js'

/** Maximum length of the name of a webhook, in characters. */
export const WEBHOOK_NAME_MAX = 64
/** Maximum length of its URL, in characters. */
export const WEBHOOK_URL_MAX = 2000

/** Event types of a user's own secrets and requests. */
export const USER_EVENT_TYPES = listFacts('owner')

/** An https URL without credentials and fragment. */
export function isWebhookUrl(text: string): boolean {
  if (text.length > WEBHOOK_URL_MAX || !URL.canParse(text)) return false
  const { protocol, username, password, hash } = new URL(text)
  return protocol === 'https:' && username === '' && password === '' && hash === ''
}
