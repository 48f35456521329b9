import type { OwnSecret } from '#shared/api'
import { isolateLtr, sanitizeName } from '../../../lib/format.js'

/** The label, the title, or the start of the id: titles of encrypted secrets are encrypted. */
export const secretName = ({ id, title }: Pick<OwnSecret, 'id' | 'title'>, label = ''): string =>
  sanitizeName(label || (title ?? '')) || isolateLtr(id.slice(0, 12))
