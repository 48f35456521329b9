/** The e-mail domains that accounts may be limited to. */
import { AppError } from '../errors.js'

const FIELD = 'restrict_organization_email'
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/
const LENGTH_MAX = 2000

/**
 * `Example.org, example.com` -> `['example.org', 'example.com']`; of nothing but white space, none. Throws AppError
 * `request.invalid` for what is no domain in ASCII: it would let nobody in.
 */
export function domainsOf(text: string): string[] {
  if (text.trim() === '') return []
  const domains = text.split(',').map((domain) => domain.trim().toLowerCase())
  if (text.length <= LENGTH_MAX && domains.every(isDomain)) return [...new Set(domains)]
  const message = `${FIELD}: must be e-mail domains joined by commas, such as example.org`
  throw new AppError('request.invalid', { field: FIELD, message })
}

function isDomain(text: string): boolean {
  const labels = text.split('.')
  // The last label of a domain is no number, or it would be an address.
  return text.length <= 253 && labels.length > 1 && labels.every((label) => LABEL.test(label)) && !/\.\d+$/.test(text)
}
