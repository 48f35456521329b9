/** Parsing of the settings of type `domains`. */
import { AppError } from '../lib/errors.js'

const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/
/** In characters, of the whole setting. */
const LENGTH_MAX = 2000

/**
 * Parses a comma-separated list: `Example.org, example.com` -> `['example.org', 'example.com']`. An empty text has no
 * domains. Throws AppError `request.invalid` with the name of the setting for a name that is not an ASCII domain,
 * because no address could match it.
 */
export function parseDomains(setting: string, text: string): string[] {
  if (text.trim() === '') return []
  const domains = text.split(',').map((domain) => domain.trim().toLowerCase())
  if (text.length <= LENGTH_MAX && domains.every(isDomain)) return [...new Set(domains)]
  const message = `${setting}: must be e-mail domains joined by commas, such as example.org`
  throw new AppError('request.invalid', { field: setting, message })
}

function isDomain(text: string): boolean {
  const labels = text.split('.')
  // The last label of a domain is never numeric, which tells it from an IP address.
  return text.length <= 253 && labels.length > 1 && labels.every((label) => LABEL.test(label)) && !/\.\d+$/.test(text)
}
