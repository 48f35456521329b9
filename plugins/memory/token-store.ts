import type { ApiToken, TokenStore } from '#core'
import { addEvents, assertFree, assertSessionExists, deleteMatching, findUserOrThrow, type Tables } from './tables.js'

/** Each operation is synchronous, and therefore atomic: see index.ts. */
export function createTokenStore(tables: Tables): TokenStore {
  const { tokens } = tables
  return {
    async create(token, max, now, events, sessionId = null) {
      findUserOrThrow(tables, token.userId)
      assertSessionExists(tables, token.userId, sessionId)
      assertFree(tokens.has(token.id) || listTokens(tables, token.userId, now).length >= max)
      tokens.set(token.id, copyToken(token))
      addEvents(tables, events)
    },
    async find(id, now) {
      const token = findLive(tables, id, now)
      return token ? { token: copyToken(token), user: { ...findUserOrThrow(tables, token.userId) } } : null
    },
    async list(userId, now) {
      return listTokens(tables, userId, now)
        .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
        .map(copyToken)
    },
    async remove(id, userId, events) {
      const token = tokens.get(id)
      if (token === undefined || !belongsTo(userId)(token)) return false
      addEvents(tables, events)
      return tokens.delete(id)
    },
    async markUsed(id, now) {
      const token = findLive(tables, id, now)
      if (token) token.usedAt = Math.max(token.usedAt ?? now, now)
    },
    async spend(id, bytes, now) {
      const token = findLive(tables, id, now)
      if (!token || token.secretsLeft === 0 || (token.bytesLeft !== null && token.bytesLeft < bytes)) return false
      addToQuota(token, -1, -bytes)
      return true
    },
    async refund(id, bytes) {
      const token = tokens.get(id)
      if (token) addToQuota(token, 1, bytes)
    },
    deleteExpired: async (now, limit) => deleteMatching(tokens, ({ expiresAt }) => expiresAt <= now, limit),
  }
}

function findLive({ tokens }: Tables, id: string, now: number): ApiToken | undefined {
  const token = tokens.get(id)
  return token && token.expiresAt > now ? token : undefined
}

const listTokens = ({ tokens }: Tables, userId: string, now: number): ApiToken[] =>
  [...tokens.values()].filter(belongsTo(userId)).filter(({ expiresAt }) => expiresAt > now)

const belongsTo =
  (owner: string) =>
  ({ userId }: ApiToken): boolean =>
    userId === owner

/** An unlimited quota (null) stays unlimited. */
function addToQuota(token: ApiToken, secrets: number, bytes: number): void {
  if (token.secretsLeft !== null) token.secretsLeft += secrets
  if (token.bytesLeft !== null) token.bytesLeft += bytes
}

const copyToken = (token: ApiToken): ApiToken => ({ ...token, scopes: [...token.scopes] })
