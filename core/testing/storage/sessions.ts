import { expect, test } from 'vitest'
import type { Session } from '../../contracts/sessions.js'
import type { Storage } from '../../contracts/storage.js'
import type { User } from '../../contracts/users.js'
import { aHash, anId, aSession, DAY, MINUTE, T0 } from '../lib/fixtures.js'
import { createUser } from '../lib/stored-fixtures.js'
import { count, race } from './race.js'

const MOST = 20
const GRACE = 30_000

/** Initial state of the tests below. */
function helpers({ users, sessions }: Storage) {
  async function someone(): Promise<User> {
    const user = await createUser(users)
    return user
  }
  async function opened(userId: string, differing: Partial<Session> = {}): Promise<Session> {
    const session = aSession({ userId, ...differing })
    await sessions.open(session, MOST, T0)
    return session
  }
  /** Rotates at `now` for a week. Returns the hash of the new token. */
  async function rotated(tokenHash: string, now: number): Promise<string> {
    const next = { tokenHash: aHash(), expiresAt: now + 7 * DAY }
    expect(await sessions.rotate({ tokenHash, next, graceMs: GRACE, now })).toBe(true)
    return next.tokenHash
  }

  return { someone, opened, rotated }
}

export function sessionContract(storage: Storage): void {
  const { users, sessions } = storage

  const { someone, opened } = helpers(storage)

  test('find returns every field of open, and the current user with the time of the sign-in', async () => {
    const { id } = await someone()
    const session = await opened(id, { client: '☃'.repeat(64), seenAt: T0 + 1, createdAt: T0 - 1 })
    const user = (await users.get(id)) as User
    expect(user.signedInAt).toBe(T0 - 1)
    expect(await sessions.find(session.tokenHash, T0)).toEqual({ session, user, token: 'current' })
    const changed = await users.update(user.id, { role: 'admin', mustChangePassword: true, passwordHash: null })
    expect(await sessions.find(session.tokenHash, T0)).toEqual({ session, user: changed, token: 'current' })
    expect(await sessions.find(aHash(), T0)).toBeNull()
  })

  test('open fails for an unknown user', async () => {
    const session = aSession({ userId: anId() })
    await expect(sessions.open(session, MOST, T0)).rejects.toMatchObject({ code: 'user.not_found' })
    expect(await sessions.find(session.tokenHash, T0)).toBeNull()
  })

  test.each(['id', 'tokenHash'] as const)('open with an existing %s fails and changes nothing', async (field) => {
    const [one, other] = [await someone(), await someone()]
    const session = await opened(one.id)
    const second = aSession({ userId: other.id, [field]: session[field] })
    const kept = await opened(other.id, { createdAt: T0 - 1 })
    await expect(sessions.open(second, 1, T0)).rejects.toMatchObject({ code: 'storage.conflict' })
    expect(await sessions.find(session.tokenHash, T0)).toMatchObject({ session, user: one })
    expect(await sessions.list(other.id, T0)).toEqual([kept])
  })

  test('open keeps the newest sessions of a user', async () => {
    const [user, other] = [await someone(), await someone()]
    const others = await opened(other.id, { createdAt: T0 - DAY })
    const made = [4, 1, 3, 2].map((minute) => aSession({ userId: user.id, createdAt: T0 + minute * MINUTE }))
    for (const session of made) await sessions.open(session, 3, T0)
    const left = async () => (await sessions.list(user.id, T0)).map(({ createdAt }) => (createdAt - T0) / MINUTE)
    expect((await left()).sort()).toEqual([2, 3, 4])
    // The new session is kept for any creation time.
    const early = aSession({ userId: user.id, createdAt: T0 - MINUTE })
    await sessions.open(early, 3, T0)
    expect((await left()).sort()).toEqual([-1, 3, 4])
    await sessions.open(aSession({ userId: user.id }), 1, T0)
    expect(await left()).toEqual([0])
    expect(await sessions.list(other.id, T0)).toEqual([others])
  })

  test('expired sessions do not count toward the maximum', async () => {
    const user = await someone()
    await opened(user.id, { createdAt: T0 + 1, expiresAt: T0 + MINUTE })
    const kept = await opened(user.id)
    const last = aSession({ userId: user.id, createdAt: T0 + 2 })
    await sessions.open(last, 2, T0 + MINUTE)
    expect((await sessions.list(user.id, T0 + MINUTE)).map(({ id }) => id).sort()).toEqual([kept.id, last.id].sort())
  })

  test('concurrent opens never exceed the maximum', async () => {
    const user = await someone()
    const made = Array.from({ length: 12 }, () => aSession({ userId: user.id }))
    await race(12, (racer) => sessions.open(made[racer] as Session, 4, T0))
    expect(await sessions.list(user.id, T0)).toHaveLength(4)
  })
}

export function rotationContract(storage: Storage): void {
  const { sessions } = storage

  const { someone, opened, rotated } = helpers(storage)

  test('rotate accepts the new token, and the old one until its grace period ends', async () => {
    const user = await someone()
    const session = await opened(user.id)
    const now = T0 + 6 * DAY
    const tokenHash = await rotated(session.tokenHash, now)
    const after = { ...session, tokenHash, expiresAt: now + 7 * DAY }
    expect(await sessions.find(tokenHash, now)).toEqual({ session: after, user, token: 'current' })
    const found = async (at: number) => (await sessions.find(session.tokenHash, at))?.token
    expect(await found(now)).toBe('previous')
    expect(await found(now + GRACE - 1)).toBe('previous')
    expect(await found(now + GRACE)).toBe('reused')
    expect(await sessions.find(session.tokenHash, now + GRACE)).toEqual({ session: after, user, token: 'reused' })
    expect(await found(after.expiresAt - 1)).toBe('reused')
    expect(await found(after.expiresAt)).toBeUndefined()
    expect(await sessions.list(user.id, now)).toEqual([after])
  })

  test('rotate fails for a token that is not current', async () => {
    const user = await someone()
    const session = await opened(user.id)
    const second = await rotated(session.tokenHash, T0)
    const next = { tokenHash: aHash(), expiresAt: T0 + 9 * DAY }
    for (const hash of [session.tokenHash, aHash()]) {
      expect(await sessions.rotate({ tokenHash: hash, next, graceMs: GRACE, now: T0 })).toBe(false)
    }
    expect(await sessions.find(next.tokenHash, T0)).toBeNull()
    const third = await rotated(second, T0 + MINUTE)
    const tokens = [session.tokenHash, second, third]
    const found = await Promise.all(tokens.map((hash) => sessions.find(hash, T0 + MINUTE)))
    expect(found.map((each) => each?.token)).toEqual([undefined, 'previous', 'current'])
  })

  test('one of 20 concurrent rotates succeeds', async () => {
    const session = await opened((await someone()).id)
    const next = Array.from({ length: 20 }, () => ({ tokenHash: aHash(), expiresAt: T0 + 8 * DAY }))
    const results = await race(20, (racer) =>
      sessions.rotate({ tokenHash: session.tokenHash, next: next[racer] as never, graceMs: GRACE, now: T0 }),
    )
    expect(count(results, Boolean)).toBe(1)
    const found = await Promise.all(next.map(({ tokenHash }) => sessions.find(tokenHash, T0)))
    expect(found.map((each) => each?.token === 'current')).toEqual(results)
  })

  test('rotate never extends a session past its last end', async () => {
    const session = await opened((await someone()).id, { endsAt: T0 + 10 * DAY })
    const second = await rotated(session.tokenHash, T0 + 6 * DAY)
    expect(await sessions.find(second, T0 + 6 * DAY)).toMatchObject({ session: { expiresAt: session.endsAt } })
    expect(await sessions.find(second, session.endsAt)).toBeNull()
    expect(
      await sessions.rotate({
        tokenHash: second,
        next: { tokenHash: aHash(), expiresAt: T0 + 99 * DAY },
        graceMs: GRACE,
        now: session.endsAt,
      }),
    ).toBe(false)
  })

  test('an expired session is absent', async () => {
    const user = await someone()
    const session = await opened(user.id)
    const [before, after] = [session.expiresAt - 1, session.expiresAt]
    expect(await sessions.find(session.tokenHash, before)).not.toBeNull()
    expect(await sessions.find(session.tokenHash, after)).toBeNull()
    expect(await sessions.list(user.id, before)).toEqual([session])
    expect(await sessions.list(user.id, after)).toEqual([])
    const next = { tokenHash: aHash(), expiresAt: after + DAY }
    expect(await sessions.rotate({ tokenHash: session.tokenHash, next, graceMs: GRACE, now: after })).toBe(false)
    await sessions.markSeen(session.id, after)
    expect(await sessions.list(user.id, before)).toEqual([session])
    expect(await sessions.rotate({ tokenHash: session.tokenHash, next, graceMs: GRACE, now: before })).toBe(true)
  })
}

export function sessionEndContract(storage: Storage): void {
  const { sessions } = storage

  const { someone, opened, rotated } = helpers(storage)

  test('list returns the sessions of a user, most recently used first', async () => {
    const [user, other] = [await someone(), await someone()]
    await opened(other.id)
    const [one, two, three] = [await opened(user.id), await opened(user.id), await opened(user.id)]
    await sessions.markSeen(two.id, T0 + 3)
    await sessions.markSeen(one.id, T0 + 2)
    await sessions.markSeen(two.id, T0 + 1)
    await sessions.markSeen(anId(), T0 + 9)
    const expected = [{ ...two, seenAt: T0 + 3 }, { ...one, seenAt: T0 + 2 }, three]
    expect(await sessions.list(user.id, T0)).toEqual(expected)
    expect(await sessions.find(one.tokenHash, T0)).toMatchObject({ session: { seenAt: T0 + 2 } })
  })

  test('prove stores the time of a live session, and raises its level but never lowers it', async () => {
    const user = await someone()
    const session = await opened(user.id, { provenAt: null })
    const kept = await opened(user.id, { seenAt: T0 - 1, level: 2 })
    const found = async () => (await sessions.find(session.tokenHash, T0))?.session
    expect(await found()).toEqual(session)
    expect(await sessions.prove(session.id, { level: 1, at: T0 + 1 })).toBe(true)
    expect(await found()).toEqual({ ...session, provenAt: T0 + 1 })
    // Also when nothing changes: by default, MySQL counts only rows with other values.
    for (let time = 0; time < 2; time++) expect(await sessions.prove(session.id, { level: 2, at: T0 + 2 })).toBe(true)
    expect(await sessions.prove(session.id, { level: 1, at: T0 + 3 })).toBe(true)
    expect(await found()).toEqual({ ...session, level: 2, provenAt: T0 + 3 })
    const tokenHash = await rotated(session.tokenHash, T0 + 4)
    expect(await sessions.find(tokenHash, T0 + 4)).toMatchObject({ session: { level: 2, provenAt: T0 + 3 } })
    expect(await sessions.prove(anId(), { level: 2, at: T0 })).toBe(false)
    expect(await sessions.prove(kept.id, { level: 2, at: kept.expiresAt })).toBe(false)
    expect(await sessions.list(user.id, T0)).toContainEqual(kept)
    await sessions.end(session.id, user.id)
    expect(await sessions.prove(session.id, { level: 2, at: T0 })).toBe(false)
  })

  test('end ends an own session once', async () => {
    const [user, other] = [await someone(), await someone()]
    const session = await opened(user.id)
    const kept = await opened(user.id)
    expect(await sessions.end(session.id, other.id)).toBe(false)
    expect(await sessions.end(anId(), user.id)).toBe(false)
    expect(await sessions.find(session.tokenHash, T0)).not.toBeNull()
    const tokenHash = await rotated(session.tokenHash, T0)
    const results = await race(10, () => sessions.end(session.id, user.id))
    expect(count(results, Boolean)).toBe(1)
    for (const hash of [session.tokenHash, tokenHash]) expect(await sessions.find(hash, T0)).toBeNull()
    expect(await sessions.list(user.id, T0)).toEqual([kept])
  })

  test('endAll ends all sessions of a user except one', async () => {
    const [user, other] = [await someone(), await someone()]
    const theirs = await opened(other.id)
    const own = [await opened(user.id), await opened(user.id), await opened(user.id)]
    expect(await sessions.endAll(user.id, own[1]?.id)).toBe(2)
    expect(await sessions.list(user.id, T0)).toEqual([own[1]])
    expect(await sessions.endAll(user.id)).toBe(1)
    expect(await sessions.endAll(user.id)).toBe(0)
    expect(await sessions.list(user.id, T0)).toEqual([])
    expect(await sessions.list(other.id, T0)).toEqual([theirs])
  })

  test('deleteExpired deletes up to limit expired sessions', async () => {
    const user = await someone()
    for (let minute = 1; minute <= 5; minute++) await opened(user.id, { expiresAt: T0 + minute * MINUTE })
    expect(await sessions.deleteExpired(T0, 10)).toBe(0)
    expect(await sessions.deleteExpired(T0 + 3 * MINUTE, 2)).toBe(2)
    expect(await sessions.deleteExpired(T0 + 3 * MINUTE, 2)).toBe(1)
    expect(await sessions.deleteExpired(T0 + 3 * MINUTE, 2)).toBe(0)
    expect(await sessions.list(user.id, T0)).toHaveLength(2)
    const swept = await race(4, () => sessions.deleteExpired(T0 + DAY, 10))
    expect(swept.reduce((sum, each) => sum + each)).toBe(2)
    // Deleted, not only absent.
    expect(await sessions.list(user.id, T0)).toEqual([])
  })

  test('stored sessions are independent of the objects of the caller', async () => {
    const user = await someone()
    const session = await opened(user.id)
    const kept = { ...session }
    const found = await sessions.find(session.tokenHash, T0)
    const listed = (await sessions.list(user.id, T0))[0]
    for (const each of [session, found?.session, listed]) Object.assign(each ?? {}, { userId: 'other', expiresAt: 0 })
    if (found) found.user.role = 'admin'
    expect(await sessions.find(kept.tokenHash, T0)).toEqual({ session: kept, user, token: 'current' })
  })
}
