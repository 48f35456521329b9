/** Whom a reverse proxy in front of the instance vouches for, in headers that it alone may send. */
import { AppError, type AuthProvider, definePlugin, isAllowedAddress } from '#core'
import { headerNames, options } from './options.js'

/** What some proxies write where nobody is. */
const NOBODY = ['(null)', 'null', '-']

export default definePlugin({
  name: 'proxy-auth',
  options,
  setup(given, { log }) {
    const { id, from, adminGroups, signUp, linkByEmail, signOutUrl } = given
    const names = headerNames(given)
    const isOurs = (peer: string | null) => from.some((range) => isAllowedAddress(range, peer))
    let hasNoted = false

    const header: AuthProvider['header'] = async (headers, peer) => {
      const isSaid = headers[names.subject] !== undefined || headers[names.user] !== undefined
      if (!isOurs(peer)) {
        if (isSaid && !hasNoted) log.warn('headers of a sign-in came from elsewhere, and count for nothing', { peer })
        hasNoted ||= isSaid
        return null
      }
      const subject = one(headers[names.subject])
      if (subject === '') return null
      const groups = one(headers[names.groups]).split(names.between)
      const isAdmin = groups.some((group) => adminGroups.includes(group.trim()))
      return {
        subject,
        username: one(headers[names.user]) || subject,
        email: one(headers[names.email]),
        ...(adminGroups.length === 0 ? {} : { role: isAdmin ? 'admin' : 'user' }),
      }
    }
    return { auth: () => [{ id, signUp, linkByEmail, header, ...(signOutUrl === '' ? {} : { signOutUrl }) }] }
  },
})

/**
 * The only line of a header, empty when there is none. A second one is somebody else's word. Throws AppError `auth.refused`
 * for that, and for what is no text.
 */
function one(lines: string[] | undefined): string {
  if (lines === undefined) return ''
  const text = decoded(lines[0] ?? '')
  if (lines.length > 1 || text === null || /\p{Cc}/u.test(text) || NOBODY.includes(text)) {
    throw new AppError('auth.refused')
  }
  return text.trim()
}

/** Node reads headers as Latin-1, and proxies write UTF-8. Null: it is neither ASCII nor UTF-8. */
function decoded(line: string): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(line, 'latin1'))
  } catch {
    return null
  }
}
