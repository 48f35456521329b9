import {
  AppError,
  type ExternalIdentity,
  isOpen,
  type ListedUser,
  type Page,
  type User,
  type UserChanges,
  type UserFilter,
  type UserStore,
  type UserUpdateOptions,
} from '#core'
import { expireFiles } from './attachment-store.js'
import { addEvents, assertFree, deleteMatching, findUserOrThrow, identityKey, type Tables } from './tables.js'
import { deleteWebhook, listWebhooks } from './user-webhook-store.js'

/** Each operation is synchronous, and therefore atomic: see index.ts. */
export function createUserStore(tables: Tables): UserStore {
  const { users, identities } = tables
  const findBy = (matches: (user: User) => boolean) => copyUser([...users.values()].find(matches))
  return {
    async create(user, options) {
      createUser(tables, user, options)
      addEvents(tables, options?.events)
    },
    find: async (username) => findBy((user) => user.username === username),
    get: async (id) => copyUser(users.get(id)),
    findByEmail: async (email) => findBy((user) => user.email === email),
    findByIdentity: async (identity) => copyUser(users.get(identities.get(identityKey(identity)) ?? '')),
    link: async (userId, identity) => linkIdentity(tables, userId, identity),
    takeOver: async (userId, identity) => takeOver(tables, userId, identity),
    listProviders: async (userId) => listProviders(tables, userId),
    unlink: async (userId, provider, others, options) => unlinkProvider(tables, userId, provider, others, options),
    hasAdmin: async () => listAdmins(tables).length > 0,
    list: async (filter, page, now) => listUsers(tables, filter, page, now),
    update: async (id, changes, options) => updateUser(tables, id, changes, options),
    async remove(id, now, events) {
      const isRemoved = removeUser(tables, id, now)
      if (isRemoved) addEvents(tables, events)
      return isRemoved
    },
  }
}

function createUser(
  tables: Tables,
  user: User,
  { identity, unlessAdmin = false }: { identity?: ExternalIdentity; unlessAdmin?: boolean } = {},
): void {
  const { users, identities } = tables
  assertFree(unlessAdmin && listAdmins(tables).length > 0)
  assertFree(
    [...users.values()].some(
      ({ id, username, email }) => id === user.id || username === user.username || email === user.email,
    ),
  )
  if (identity) {
    assertFree(identities.has(identityKey(identity)))
    identities.set(identityKey(identity), user.id)
  }
  users.set(user.id, { ...user })
}

function linkIdentity(tables: Tables, userId: string, identity: ExternalIdentity): void {
  const { id } = findUserOrThrow(tables, userId)
  assertFree(tables.identities.has(identityKey(identity)))
  tables.identities.set(identityKey(identity), id)
}

function takeOver(tables: Tables, userId: string, identity: ExternalIdentity): void {
  const user = findUserOrThrow(tables, userId)
  const others = identityKeysOf(tables, userId)
  linkIdentity(tables, userId, identity)
  for (const key of others) tables.identities.delete(key)
  deleteTokensOf(tables, userId)
  deleteSessions(tables, userId, undefined)
  deleteLinksAndWebhooks(tables, userId)
  Object.assign(user, { passwordHash: null, mustChangePassword: false })
}

function unlinkProvider(
  tables: Tables,
  userId: string,
  provider: string,
  others: { providers: string[]; password: boolean },
  { except }: { except?: string },
): boolean {
  const { passwordHash } = findUserOrThrow(tables, userId)
  const providers = listProviders(tables, userId)
  if (!providers.includes(provider)) return false
  const hasOtherProvider = providers.some((other) => other !== provider && others.providers.includes(other))
  const hasPassword = others.password && passwordHash !== null
  if (!hasOtherProvider && !hasPassword) throw new AppError('auth.last_way')
  for (const key of identityKeysOf(tables, userId)) if (providerOf(key) === provider) tables.identities.delete(key)
  deleteSessions(tables, userId, except)
  return true
}

function listUsers(
  tables: Tables,
  { search, role }: UserFilter,
  { skip, take }: Page,
  now: number,
): { users: ListedUser[]; total: number } {
  const part = search?.toLowerCase() ?? ''
  const matching = [...tables.users.values()]
    .filter((user) => role === undefined || user.role === role)
    .filter(({ username, email }) => username.includes(part) || email.includes(part))
    .sort((a, b) => (a.username < b.username ? -1 : 1))
  const page = matching.slice(skip, skip + take)
  return {
    users: page.map((user) => ({ ...user, secrets: countSecrets(tables, user.id, now) })),
    total: matching.length,
  }
}

export function updateUser(
  tables: Tables,
  id: string,
  changes: UserChanges,
  { endSessions, deleteTokens = false, ifEmail }: UserUpdateOptions = {},
): User | null {
  const { users } = tables
  const { email, role } = changes
  const user = users.get(id)
  if (!user || (ifEmail !== undefined && user.email !== ifEmail)) return null
  if (role === 'user') assertNotLastAdmin(tables, id)
  assertFree(email !== undefined && [...users.values()].some((other) => other.id !== id && other.email === email))
  const given = Object.entries(changes).filter(([, value]) => value !== undefined)
  Object.assign(user, Object.fromEntries(given))
  if (endSessions) deleteSessions(tables, id, endSessions.except)
  if (deleteTokens) deleteTokensOf(tables, id)
  return { ...user }
}

function removeUser(tables: Tables, id: string, now: number): boolean {
  const { users, secrets, requests, identities } = tables
  if (!users.has(id)) return false
  assertNotLastAdmin(tables, id)
  for (const { secret } of [...secrets.values()]) {
    if (secret.ownerId !== id) continue
    expireFiles(tables, secret.id, now)
    secrets.delete(secret.id)
  }
  for (const key of identityKeysOf(tables, id)) identities.delete(key)
  deleteSessions(tables, id, undefined)
  deleteTokensOf(tables, id)
  deleteLinksAndWebhooks(tables, id)
  deleteMatching(tables.receipts, ({ ownerId }) => ownerId === id, tables.receipts.size)
  deleteMatching(tables.endedSecrets, ({ ownerId }) => ownerId === id, tables.endedSecrets.size)
  deleteMatching(requests, ({ request }) => request.ownerId === id, requests.size)
  return users.delete(id)
}

const listAdmins = ({ users }: Tables): User[] => [...users.values()].filter(({ role }) => role === 'admin')

function assertNotLastAdmin(tables: Tables, id: string): void {
  const [first, second] = listAdmins(tables)
  if (first?.id === id && !second) throw new AppError('user.last_admin')
}

function countSecrets({ secrets }: Tables, ownerId: string, now: number): number {
  return [...secrets.values()].filter(({ secret }) => secret.ownerId === ownerId && isOpen(secret, now)).length
}

function deleteSessions({ sessions }: Tables, userId: string, except: string | undefined): void {
  deleteMatching(sessions, ({ session }) => session.userId === userId && session.id !== except, sessions.size)
}

function deleteTokensOf({ tokens }: Tables, id: string): void {
  deleteMatching(tokens, ({ userId }) => userId === id, tokens.size)
}

/** Password resets, e-mail verifications, and webhooks with their events. */
function deleteLinksAndWebhooks(tables: Tables, id: string): void {
  for (const links of [tables.passwordResets, tables.emailVerifications])
    deleteMatching<{ userId: string }>(links, ({ userId }) => userId === id, links.size)
  for (const webhook of listWebhooks(tables, id)) deleteWebhook(tables, webhook.id)
}

const identityKeysOf = ({ identities }: Tables, id: string): string[] =>
  [...identities].flatMap(([key, userId]) => (userId === id ? [key] : []))

const listProviders = (tables: Tables, id: string): string[] =>
  [...new Set(identityKeysOf(tables, id).map(providerOf))].sort()

const providerOf = (key: string): string => JSON.parse(key)[0]

const copyUser = (user: User | undefined): User | null => (user ? { ...user } : null)
