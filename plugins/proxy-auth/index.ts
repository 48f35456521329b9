/** Sign-in with headers of a reverse proxy that authenticates its users. Only the proxy may send these headers. */
import { AppError, type AuthProvider, definePlugin, type Identity, isAllowedAddress } from '#core'
import { options, toHeaderNames } from './proxy-auth-options.js'

/** Values that some proxies send without a signed-in user. */
const EMPTY_VALUES = ['(null)', 'null', '-']

export default definePlugin({
  contract: 1,
  name: 'proxy-auth',
  options,
  setup(values, { log }) {
    const { id, from, adminGroups, creatorGroups, signUp, linkByEmail, signOutUrl } = values
    const decidesCreation = creatorGroups.length > 0
    const names = toHeaderNames(values)
    const isProxy = (peer: string | null) => from.some((range) => isAllowedAddress(range, peer))
    let hasWarned = false
    let isMissingLogged = false

    /**
     * Without the header, the user keeps the role and the right to create secrets: the proxy may have failed to read
     * the groups. An empty header is an empty list of groups.
     */
    function readPermissions(lines: string[] | undefined): Pick<Identity, 'role' | 'canCreate' | 'groups'> {
      const text = readHeader(lines)
      if (lines === undefined) {
        const isNeeded = adminGroups.length > 0 || decidesCreation
        if (isNeeded && !isMissingLogged)
          log.warn('permissions kept, the proxy sends no groups', { header: names.groups })
        isMissingLogged ||= isNeeded
        return {}
      }
      const groups = text.split(names.separator).map((group) => group.trim())
      const isAdmin = groups.some((group) => adminGroups.includes(group))
      const canCreate = isAdmin || groups.some((group) => creatorGroups.includes(group))
      return {
        groups,
        ...(adminGroups.length > 0 && { role: isAdmin ? ('admin' as const) : ('user' as const) }),
        ...(decidesCreation && { canCreate }),
      }
    }

    const header: AuthProvider['header'] = async (headers, peer) => {
      if (!isProxy(peer)) {
        const hasHeaders = headers[names.subject] !== undefined || headers[names.user] !== undefined
        if (hasHeaders && !hasWarned) log.warn('sign-in headers from an untrusted address ignored', { peer })
        hasWarned ||= hasHeaders
        return null
      }
      const subject = readHeader(headers[names.subject])
      if (subject === '') return null
      return {
        subject,
        username: readHeader(headers[names.user]) || subject,
        email: readHeader(headers[names.email]),
        ...readPermissions(headers[names.groups]),
      }
    }
    const provider: AuthProvider = { id, signUp, linkByEmail, decidesCreation, header }
    return { auth: () => [signOutUrl === '' ? provider : { ...provider, signOutUrl }] }
  },
})

/**
 * Reads a header; empty when it is missing. Throws AppError `auth.refused` when it occurs twice, because the client may
 * have sent one of them, or is not text.
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
