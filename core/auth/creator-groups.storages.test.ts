/** Groups of a provider that decide who may create secrets and requests. */

import { expect, test } from 'vitest'
import { anOutsider, fakeAuth } from '#test/fake-auth'
import { OWN_PAGE, onOneStorage } from '#test/for-each-storage'
import { anonymous } from '../contracts/auth-context.js'
import type { Identity } from '../contracts/auth-provider.js'
import { newClaim } from '../shared/crypto/keys.js'
import { createRequestKeys } from '../shared/crypto/submission.js'
import { resolveIdentity } from './resolve-identity.js'

const SECRET = { text: 'für ☃', ttl: 60 }
const DENIED = 'auth.not_creator'

onOneStorage(
  (site) => {
    /** A request with the headers of a proxy is a sign-in. */
    const signedIn = (identity: Identity, canCreate: boolean | undefined) => ({
      ...OWN_PAGE,
      'X-Company-Identity': JSON.stringify({ ...identity, canCreate }),
    })
    const create = (headers: Record<string, string>) => site.call('POST', '/secret', headers, SECRET)
    const codeOf = async (headers: Record<string, string>) => (await create(headers)).body.code
    const settings = async (headers: Record<string, string>) =>
      (await site.call('GET', '/settings', headers).expect(200)).body
    const userOf = async (identity: Identity) => {
      const user = await site.app.storage.users.findByIdentity({ provider: 'company', subject: identity.subject })
      if (!user) throw new Error('no account')
      return { ...user, password: '' }
    }

    test('a user outside of the groups opens and manages, but creates nothing', async () => {
      const identity = anOutsider()
      const { id } = (await create(signedIn(identity, true)).expect(201)).body
      expect(await settings(signedIn(identity, true))).toMatchObject({ canCreate: true, deniedByGroups: false })
      const headers = signedIn(identity, false)
      const { body: request } = await createRequestKeys({ title: 'Zugang ☃', instructions: '' })
      for (const [path, body] of [
        ['/secret', SECRET],
        ['/secret', { ...SECRET, isPublic: true, title: '☃' }],
        ['/files', { size: 9, parts: 1 }],
        ['/request', { ...request, ttl: 60 }],
      ] as const) {
        const response = await site.call('POST', path, headers, body)
        expect([path, response.status, response.body.code]).toEqual([path, 403, DENIED])
      }
      const denied = { canCreate: false, deniedByGroups: true, uploads: false, requests: false }
      expect(await settings(headers)).toMatchObject(denied)
      const listed = (await site.call('GET', '/secret', headers).expect(200)).body
      expect(listed).toMatchObject([{ id: id.split('~')[0] }])
      await site.call('POST', `/secret/${id}/burn`, headers, {}).expect(200)
      const other = (await create({}).expect(201)).body
      await site.call('POST', `/secret/${other.id}`, headers, { claim: newClaim() }).expect(200)
    })

    test('each sign-in decides again, also for sessions and API tokens', async () => {
      const identity = anOutsider()
      await create(signedIn(identity, true)).expect(201)
      const user = await userOf(identity)
      const session = { ...OWN_PAGE, ...(await site.app.as(user)) }
      const token = { Authorization: `Bearer ${await site.app.tokenOf(user)}` }
      for (const canCreate of [false, true, false]) {
        await site.call('GET', '/account', signedIn(identity, canCreate)).expect(200)
        for (const headers of [session, token]) {
          expect(await codeOf(headers)).toBe(canCreate ? undefined : DENIED)
          expect(await settings(headers)).toMatchObject({ canCreate, deniedByGroups: !canCreate })
        }
      }
      await site.app.audit.flush()
      const entries = await site.app.storage.audit.list({ action: 'user.changed' }, { skip: 0, take: 9 })
      expect(entries.map(({ detail }) => detail.creates)).toEqual([false, true, false])
      expect(entries[0]).toMatchObject({ subject: user.username, detail: { provider: 'company' } })
    })

    test('groups that cannot be read change nothing for an account, and a new one may not create', async () => {
      for (const canCreate of [true, false]) {
        const identity = anOutsider()
        await site.call('GET', '/account', signedIn(identity, canCreate)).expect(200)
        expect(await codeOf(signedIn(identity, undefined))).toBe(canCreate ? undefined : DENIED)
      }
      const added = anOutsider()
      expect(await codeOf(signedIn(added, undefined))).toBe(DENIED)
      expect(await codeOf(signedIn(added, true))).toBeUndefined()
    })

    test('administrators create without a group', async () => {
      const identity = anOutsider({ role: 'admin' })
      await create(signedIn(identity, false)).expect(201)
      expect(await settings(signedIn(identity, false))).toMatchObject({ canCreate: true, deniedByGroups: false })
    })

    test('another sign-in method does not undo the denial of the provider', async () => {
      const identity = anOutsider()
      await site.call('GET', '/account', signedIn(identity, false)).expect(200)
      const user = await userOf(identity)
      await site.app.storage.users.link(user.id, { provider: 'other', subject: 'ö ☃' }, 0)
      for (const decidesCreation of [false, true]) {
        const provider = { id: 'other', signUp: true, decidesCreation }
        await resolveIdentity(site.app, provider, { ...identity, subject: 'ö ☃', canCreate: true }, anonymous(null))
        expect(await codeOf(await site.app.as(user))).toBe(DENIED)
      }
    })

    test('a denial has no effect when the provider does not decide any more', async () => {
      const identity = anOutsider()
      await site.call('GET', '/account', signedIn(identity, false)).expect(200)
      const session = await site.app.as(await userOf(identity))
      expect(await codeOf(session)).toBe(DENIED)
      for (const auth of [[fakeAuth()], []]) {
        await site.restart({ auth })
        await create(session).expect(201)
      }
    })

    test('who_can_create applies as well', async () => {
      const identity = anOutsider()
      const set = (who_can_create: 'users' | 'admins') =>
        site.app.settings.update({ who_can_create }, { username: 'boss', address: null })
      await set('users')
      expect(await codeOf(signedIn(identity, true))).toBeUndefined()
      expect(await codeOf(signedIn(identity, false))).toBe(DENIED)
      expect(await codeOf({})).toBe('settings.users_only')
      await set('admins')
      expect(await codeOf(signedIn(identity, true))).toBe('settings.admins_only')
    })
  },
  { app: { auth: [fakeAuth({ decidesCreation: true })] } },
)
