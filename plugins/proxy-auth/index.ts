/** Sign-in with headers of a reverse proxy that authenticates its users. Only the proxy may send these headers. */
import { AppError, type AuthProvider, definePlugin, isAllowedAddress } from '#core'
import { options, toHeaderNames } from './proxy-auth-options.js'

/** What some proxies send when nobody is signed in. */
const EMPTY_VALUES = ['(null)', 'null', '-']

export default definePlugin({
  contract: 2,
  name: 'proxy-auth',
  options,
  setup(values, { log }) {
    const { id, from, adminGroups, signUp, linkByEmail, signOutUrl } = values
    const names = toHeaderNames(values)
    const isProxy = (peer: string | null) => from.some((range) => isAllowedAddress(range, peer))
    let hasWarned = false

    const header: AuthProvider['header'] = async (headers, peer) => {
      if (!isProxy(peer)) {
        const hasHeaders = headers[names.subject] !== undefined || headers[names.user] !== undefined
        if (hasHeaders && !hasWarned) log.warn('sign-in headers from an untrusted address ignored', { peer })
        hasWarned ||= hasHeaders
        return null
      }
      const subject = readHeader(headers[names.subject])
      if (subject === '') return null
      const groups = readHeader(headers[names.groups]).split(names.separator)
      const isAdmin = groups.some((group) => adminGroups.includes(group.trim()))
      return {
        subject,
        username: readHeader(headers[names.user]) || subject,
        email: readHeader(headers[names.email]),
        ...(adminGroups.length === 0 ? {} : { role: isAdmin ? 'admin' : 'user' }),
      }
    }
    return { auth: () => [{ id, signUp, linkByEmail, header, ...(signOutUrl === '' ? {} : { signOutUrl }) }] }
  },
})

/**
 * Reads a header; empty when it is missing. Throws AppError `auth.refused` when it occurs twice, because the client may have
 * sent one of them, and when it is not text.
 */
function readHeader(lines: string[] | undefined): string {
  if (lines === undefined) return ''
  const text = decodeHeader(lines[0] ?? '')
  if (lines.length > 1 || text === null || /\p{Cc}/u.test(text) || EMPTY_VALUES.includes(text)) {
    throw new AppError('auth.refused')
  }
  return text.trim()
}

/** Node.js decodes headers as Latin-1, but proxies send UTF-8. Null when it is neither ASCII nor UTF-8. */
function decodeHeader(line: string): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(line, 'latin1'))
  } catch {
    return null
  }
}
