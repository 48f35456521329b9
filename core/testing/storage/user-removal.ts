import { expect, test } from 'vitest'
import type { Binding } from '../../contracts/attachments.js'
import type { Storage } from '../../contracts/storage.js'
import type { User } from '../../contracts/users.js'
import {
  aHash,
  anAuditEntry,
  anEvent,
  anIdentity,
  anUpload,
  aPublicSecret,
  aSecret,
  aSession,
  aToken,
  aUser,
  aWebhook,
  MINUTE,
  T0,
} from '../lib/fixtures.js'
import { createSecret, createUser } from '../lib/stored-fixtures.js'
import { count, race } from './race.js'

const ALL = { skip: 0, take: 100 }

export function userRemovalContract(storage: Storage): void {
  const { users, sessions, tokens, secrets, oneTimeLinks, userWebhooks, outbox, attachments, audit } = storage

  /** An upload with all its parts. */
  async function anUploaded(): Promise<Binding> {
    const upload = anUpload({ parts: 1 })
    await attachments.reserve(upload, { open: 10, bytes: null, windowMs: MINUTE, storedBytes: null }, T0)
    await attachments.recordPart({ id: upload.id, index: 0, expiresAt: upload.expiresAt, now: T0 })
    return { id: upload.id, tokenHash: upload.tokenHash }
  }

  /** A user with one row in every table. */
  async function createFullUser() {
    const [user, identity, upload] = [aUser(), anIdentity(), await anUploaded()]
    await users.create(user, { identity })
    const [session, token] = [aSession({ userId: user.id }), aToken({ userId: user.id })]
    await sessions.open(session, 20, T0)
    await tokens.create({ token, max: 20, now: T0 })
    const secret = aPublicSecret({ ownerId: user.id, files: 1, expiresAt: T0 + 30 * MINUTE })
    await secrets.create({ secret, now: T0, files: [upload] })
    return { user, identity, session, token, secret, upload }
  }

  /** Links in e-mails to a user, and a webhook with an event. */
  async function createLinksAndWebhook({ id: userId, email }: User) {
    const [reset, verification, webhook] = [aHash(), aHash(), aWebhook({ userId })]
    const link = { userId, email, expiresAt: T0 + MINUTE, epoch: 0 }
    await oneTimeLinks.create({ ...link, hash: reset, purpose: 'password-reset' })
    await oneTimeLinks.create({ ...link, hash: verification, purpose: 'email-verification' })
    await userWebhooks.create(webhook, 5)
    await outbox.append([anEvent({ subscriber: `user:${webhook.id}` })])
    return { reset, verification, webhook }
  }

  /** The rows of a user that exist. */
  async function left({ user, identity, session, token, secret, upload }: Awaited<ReturnType<typeof createFullUser>>) {
    const found = {
      user: await users.get(user.id),
      name: await users.find(user.username),
      email: await users.findByEmail(user.email),
      identity: await users.findByIdentity(identity),
      session: await sessions.find(session.tokenHash, T0),
      token: await tokens.find(token.id, T0),
      secret: await secrets.peek(secret.id, T0),
      view: await secrets.view({ id: secret.id, claimHash: aHash(), now: T0, graceMs: MINUTE }),
      file: await attachments.find(upload.id, T0),
      fileOfSecret: (await attachments.listBySecret(secret.id, T0))[0] ?? null,
    }
    return Object.entries(found).flatMap(([name, value]) => (value === null ? [] : [name]))
  }
  const EVERYTHING = ['user', 'name', 'email', 'identity', 'session', 'token', 'secret', 'view', 'file', 'fileOfSecret']

  test('takeOver leaves the new identity as the only way to act as the user', async () => {
    const [one, other] = [await createFullUser(), await createFullUser()]
    const identity = anIdentity()
    await expect(users.takeOver(one.user.id, other.identity)).rejects.toMatchObject({ code: 'storage.conflict' })
    await expect(users.takeOver(aUser().id, identity)).rejects.toMatchObject({ code: 'user.not_found' })
    expect(await left(one)).toEqual(EVERYTHING)
    await users.takeOver(one.user.id, identity)
    expect(await left(one)).toEqual(EVERYTHING.filter((name) => !['identity', 'session', 'token'].includes(name)))
    expect(await users.findByIdentity(identity)).toEqual({
      ...one.user,
      passwordHash: null,
      mustChangePassword: false,
      epoch: 1,
    })
    expect(await left(other)).toEqual(EVERYTHING)
  })

  test('takeOver deletes links in e-mails, and webhooks with their events, of this user only', async () => {
    const [user, other] = [aUser(), aUser()]
    for (const one of [user, other]) await users.create(one)
    const [rows, others] = [await createLinksAndWebhook(user), await createLinksAndWebhook(other)]
    await users.takeOver(user.id, anIdentity())
    expect(await oneTimeLinks.findReset(rows.reset, T0)).toBeNull()
    expect(await oneTimeLinks.findReset(others.reset, T0)).toEqual(other)
    expect(await oneTimeLinks.verifyEmail(rows.verification, T0)).toBeNull()
    expect(await oneTimeLinks.verifyEmail(others.verification, T0)).toMatchObject({ id: other.id })
    expect(await userWebhooks.list(user.id)).toEqual([])
    expect(await userWebhooks.list(other.id)).toEqual([others.webhook])
    const subscribers = (await outbox.list({}, ALL)).map(({ subscriber }) => subscriber)
    expect(subscribers).toEqual([`user:${others.webhook.id}`])
  })

  test('remove deletes everything of the user and nothing of others', async () => {
    const [one, other] = [await createFullUser(), await createFullUser()]
    const visitors = await createSecret(secrets)
    const entry = anAuditEntry({ actor: one.user.username })
    await audit.append([entry])
    expect(await left(one)).toEqual(EVERYTHING)
    expect(await users.remove(one.user.id, T0)).toBe(true)
    expect(await left(one)).toEqual([])
    expect(await left(other)).toEqual(EVERYTHING)
    expect(await secrets.peek(visitors.id, T0)).not.toBeNull()
    // The audit entries stay, and the leases of the files end now.
    expect(await audit.list({ actor: one.user.username }, ALL)).toEqual([entry])
    expect((await attachments.listEnded(T0, 10)).map(({ id, expiresAt }) => [id, expiresAt])).toEqual([
      [one.upload.id, T0],
    ])
  })

  test('a new user with the same name inherits nothing', async () => {
    const one = await createFullUser()
    await users.remove(one.user.id, T0)
    const again = aUser({ username: one.user.username, email: one.user.email })
    await users.create(again, { identity: one.identity })
    expect((await left(one)).sort()).toEqual(['email', 'identity', 'name'])
    expect(await sessions.list(again.id, T0)).toEqual([])
    expect(await tokens.list(again.id, T0)).toEqual([])
    expect(await secrets.listByOwner(again.id, ALL, T0)).toEqual([])
    expect(await secrets.listPublic({ username: again.username }, ALL, T0)).toEqual([])
    expect((await users.list({}, ALL, T0)).users).toEqual([{ ...again, secrets: 0, passkeys: 0, authenticator: false }])
  })

  test('one of 10 concurrent removes returns true', async () => {
    const { user } = await createFullUser()
    const results = await race(10, () => users.remove(user.id, T0))
    expect(count(results, Boolean)).toBe(1)
  })

  test('remove deletes many secrets with their files', async () => {
    const owner = await createUser(users)
    for (let from = 0; from < 1100; from += 100) {
      const upload = await anUploaded()
      const filed = aSecret({ ownerId: owner.id, files: 1 })
      await secrets.create({ secret: filed, now: T0, files: [upload] })
      await race(99, () => secrets.create({ secret: aSecret({ ownerId: owner.id }), now: T0 }))
    }
    expect(await users.remove(owner.id, T0)).toBe(true)
    expect(await secrets.listByOwner(owner.id, ALL, T0)).toEqual([])
    expect(await attachments.listEnded(T0, 100)).toHaveLength(11)
  })

  test('concurrent creates for a removed user are deleted or refused', async () => {
    for (let round = 0; round < 10; round++) {
      const { user } = await createFullUser()
      const uploads = [await anUploaded(), await anUploaded(), await anUploaded()]
      const made = uploads.map(() => aSecret({ ownerId: user.id, files: 1 }))
      const removing = users.remove(user.id, T0)
      await Promise.allSettled([
        ...made.map((secret, index) => secrets.create({ secret, now: T0, files: uploads.slice(index, index + 1) })),
        sessions.open(aSession({ userId: user.id }), 20, T0),
        tokens.create({ token: aToken({ userId: user.id }), max: 20, now: T0 }),
      ])
      expect(await removing).toBe(true)
      for (const [index, { id }] of made.entries()) {
        expect(await secrets.peek(id, T0)).toBeNull()
        const upload = await attachments.find(uploads[index]?.id ?? '', T0)
        expect(upload?.secretId ?? null).toBeNull()
      }
      expect(await sessions.list(user.id, T0)).toEqual([])
      expect(await tokens.list(user.id, T0)).toEqual([])
    }
  })
}
