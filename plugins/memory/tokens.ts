import { type ApiToken, AppError, type TokenStore } from '#core'
import { isOf, type People, sweepEntries, userOf } from './people.js'

export function tokenStore(people: People): TokenStore {
  const { tokens } = people

  const live = (id: string, now: number): ApiToken | undefined => {
    const token = tokens.get(id)
    return token && token.expiresAt > now ? token : undefined
  }
  const ofUser = (userId: string, now: number): ApiToken[] =>
    [...tokens.values()].filter(isOf(userId)).filter(({ expiresAt }) => expiresAt > now)
  const copy = (token: ApiToken): ApiToken => ({ ...token, scopes: [...token.scopes] })

  return {
    async create(token, most, now) {
      userOf(people, token.userId)
      if (tokens.has(token.id) || ofUser(token.userId, now).length >= most) throw new AppError('storage.conflict')
      tokens.set(token.id, copy(token))
    },
    async find(id, now) {
      const token = live(id, now)
      return token ? { token: copy(token), user: { ...userOf(people, token.userId) } } : null
    },
    async list(userId, now) {
      return ofUser(userId, now)
        .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
        .map(copy)
    },
    async remove(id, userId) {
      const token = tokens.get(id)
      return token !== undefined && isOf(userId)(token) && tokens.delete(id)
    },
    async used(id, now) {
      const token = live(id, now)
      if (token) token.usedAt = Math.max(token.usedAt ?? now, now)
    },
    async spend(id, bytes, now) {
      const token = live(id, now)
      if (!token || token.secretsLeft === 0 || (token.bytesLeft !== null && token.bytesLeft < bytes)) return false
      move(token, -1, -bytes)
      return true
    },
    async refund(id, bytes) {
      const token = tokens.get(id)
      if (token) move(token, 1, bytes)
    },
    sweep: async (now, limit) => sweepEntries(tokens, ({ expiresAt }) => expiresAt <= now, limit),
  }
}

/** What is not limited stays so. */
function move(token: ApiToken, secrets: number, bytes: number): void {
  if (token.secretsLeft !== null) token.secretsLeft += secrets
  if (token.bytesLeft !== null) token.bytesLeft += bytes
}
