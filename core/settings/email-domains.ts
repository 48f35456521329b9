import { AppError } from '../lib/errors.js'
import { parseDomainList } from '../shared/domains.js'

/**
 * Parses a setting of type `domains`. An empty text has no domains. Throws AppError `request.invalid` with the name of
 * the setting for a name that is not an ASCII domain, because no address could match it.
 */
export function parseDomains(setting: string, text: string): string[] {
  const domains = parseDomainList(text)
  if (domains) return domains
  const message = `${setting}: must be e-mail domains joined by commas, such as example.org`
  throw new AppError('request.invalid', { field: setting, message })
}
