/**
 * Policies over HTTP. The matrix has a row for each column of a policy: requests that it refuses and allows, on each
 * route. It repeats the rules on purpose, so that a change of the rules has to be made in both places.
 */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { anOutsider, fakeAuth } from '#test/fake-auth'
import { forEachStorage, OWN_PAGE, type Site } from '#test/for-each-storage'
import { encryptSecret } from '../shared/crypto/encrypt-secret.js'
import { encryptedFileLength } from '../shared/crypto/encrypted-sizes.js'
import { encodeText } from '../shared/crypto/envelope.js'
import { createRequestKeys } from '../shared/crypto/submission.js'
import { COLUMN_NAMES, type Policies, type Policy, type PolicyColumn } from '../shared/policies.js'
import type { Preset } from '../shared/presets.js'

const HOUR_S = 3600
const DAY_S = 24 * HOUR_S
const KIB = 1024
const GROUPS = ['Ops ☃', 'Sales']

type RouteName = 'create' | 'request' | 'upload'
type CallerName = 'visitor' | 'user' | 'member' | 'member of two' | 'administrator' | 'token'

/** A request, with the field that a strict row refuses. `allowed`: the same request in a form that every row allows. */
interface Attempt {
  route: RouteName
  refused: object
  field: string
  allowed: object
}

interface Cell {
  strict: Policy
  /** Another value of the column that allows the refused requests. */
  generous: Policy
  attempts: Attempt[]
}

const file = (size: number) => ({ size: encryptedFileLength(size), parts: 1 })
const inline = (size: number) => ({ name: '☃.txt', content: Buffer.alloc(size).toString('base64') })

// biome-ignore format: a table with one row per attempt, which would take nine lines each
const MATRIX: Record<Exclude<PolicyColumn, 'defaultTtl' | 'defaultViews'>, Cell> = {
  lifetimes: {
    strict: { lifetimes: [{ min: HOUR_S, max: HOUR_S }, { min: 2 * HOUR_S, max: DAY_S }] },
    generous: { lifetimes: [{ min: 60, max: 7 * DAY_S }] },
    attempts: [
      { route: 'create',  refused: { ttl: 2 * DAY_S },    field: 'ttl', allowed: { ttl: DAY_S } },
      { route: 'create',  refused: { ttl: HOUR_S - 1 },   field: 'ttl', allowed: { ttl: HOUR_S } },
      { route: 'create',  refused: { ttl: HOUR_S + 1 },   field: 'ttl', allowed: { ttl: 2 * HOUR_S } },
      { route: 'request', refused: { ttl: 2 * DAY_S },    field: 'ttl', allowed: { ttl: DAY_S } },
    ],
  },
  maxViews: {
    strict: { maxViews: 1 },
    generous: { maxViews: 9999 },
    attempts: [
      { route: 'create', refused: { maxViews: 2 }, field: 'maxViews', allowed: { maxViews: 1 } },
      { route: 'create', refused: { maxViews: 2 }, field: 'maxViews', allowed: {} },
      { route: 'create', refused: { isPublic: true, maxViews: 2 }, field: 'maxViews', allowed: { isPublic: true, maxViews: 1 } },
    ],
  },
  password: {
    strict: { password: 'required' },
    generous: { password: 'offered' },
    attempts: [{ route: 'create', refused: {}, field: 'password', allowed: { password: 'пароль' } }],
  },
  requireAddress: {
    strict: { requireAddress: true },
    generous: { requireAddress: false },
    attempts: [
      { route: 'create',  refused: {}, field: 'allowedIp', allowed: { allowedIp: '10.0.0.0/8' } },
      { route: 'request', refused: {}, field: 'allowedIp', allowed: { allowedIp: '10.0.0.0/8' } },
    ],
  },
  files: {
    strict: { files: false },
    generous: { files: true },
    attempts: [
      { route: 'create',  refused: { files: [inline(9)] },  field: 'files',      allowed: {} },
      { route: 'request', refused: { allowFiles: true },    field: 'allowFiles', allowed: { allowFiles: false } },
      { route: 'upload',  refused: file(9),                 field: 'size',       allowed: {} },
    ],
  },
  maxFileBytes: {
    strict: { maxFileBytes: KIB },
    generous: { maxFileBytes: 2 * KIB },
    attempts: [
      { route: 'create', refused: { files: [inline(KIB + 1)] }, field: 'files', allowed: { files: [inline(KIB)] } },
      { route: 'upload', refused: file(KIB + 1),                field: 'size',  allowed: file(KIB) },
    ],
  },
  mayCreate: {
    strict: { mayCreate: false },
    generous: { mayCreate: true },
    attempts: [
      { route: 'create', refused: {},      field: 'mayCreate', allowed: {} },
      { route: 'upload', refused: file(9), field: 'mayCreate', allowed: {} },
    ],
  },
  mayRequest: {
    strict: { mayRequest: false },
    generous: { mayRequest: true },
    attempts: [{ route: 'request', refused: {}, field: 'mayRequest', allowed: {} }],
  },
}

/** The rows that apply to each caller. */
const ROWS: Record<CallerName, string[]> = {
  visitor: ['visitors'],
  user: ['users'],
  member: ['users', 'group:Ops ☃'],
  'member of two': ['users', 'group:Ops ☃', 'group:Sales'],
  administrator: ['administrators'],
  token: ['users', 'group:Ops ☃'],
}
const ALL_ROWS = ['visitors', 'users', 'administrators', ...GROUPS.map((name) => `group:${name}`)]

forEachStorage(
  (site) => {
    let people: Awaited<ReturnType<typeof signInAll>>
    beforeAll(async () => {
      people = await signInAll(site)
    })
    beforeEach(() => setPolicies(site, {}))

    test('a change of policies that were changed in the meantime is refused, and nothing of it is stored', async () => {
      const { administrator } = people
      const read = async () => (await site.call('GET', '/admin/policies', administrator).expect(200)).body
      const put = (body: object) => site.call('PUT', '/admin/policies', administrator, body)
      const { version } = await read()
      const first = await put({ policies: { users: { maxViews: 1 } }, version }).expect(200)
      expect(first.body.version).toBe(version + 1)
      const second = await put({ policies: { visitors: { maxViews: 2 }, users: null }, version }).expect(409)
      expect(second.body.code).toBe('settings.changed')
      expect(await read()).toEqual({ policies: { users: { maxViews: 1 } }, version: version + 1 })
      // Nothing to change.
      expect((await put({ policies: { users: { maxViews: 1 } }, version: version + 1 }).expect(200)).body.version).toBe(
        version + 1,
      )
      await put({ policies: { visitors: { maxViews: 2 } }, version: version + 1 }).expect(200)
      await put({ policies: {}, version: -1 }).expect(400)
    })

    test('presets that were changed in the meantime stay, and of several changes one is stored', async () => {
      const { administrator } = people
      const read = async () => (await site.call('GET', '/admin/presets', administrator).expect(200)).body
      const put = (names: string[], version?: number) =>
        site.call('PUT', '/admin/presets', administrator, { presets: names.map((name) => ({ name })), version })
      const { version } = await read()
      expect((await put(['One ☃'], version).expect(200)).body.version).toBe(version + 1)
      expect((await put(['Two'], version).expect(409)).body.code).toBe('settings.changed')
      const stored = await read()
      expect(stored).toEqual({ presets: [{ name: 'One ☃', options: [] }], version: version + 1 })
      // Nothing to change.
      expect((await put(['One ☃'], version + 1).expect(200)).body).toEqual(stored)
      const racing = ['A', 'B', 'C'].map((name) => put([name], version + 1))
      expect((await Promise.all(racing)).map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
      // Without a version, the last change wins.
      expect((await put([]).expect(200)).body).toEqual({ presets: [], version: version + 3 })
      await put([], -1).expect(400)
    })

    test('of several changes with the same version one is stored, and changes without a version keep the others', async () => {
      const { administrator } = people
      const put = (body: object) => site.call('PUT', '/admin/policies', administrator, body)
      const { version } = (await site.call('GET', '/admin/policies', administrator)).body
      const racing = ALL_ROWS.map((audience, at) => put({ policies: { [audience]: { maxViews: at + 2 } }, version }))
      const statuses = (await Promise.all(racing)).map(({ status }) => status)
      expect(statuses.toSorted()).toEqual([200, 409, 409, 409, 409])
      await Promise.all(ALL_ROWS.map((audience, at) => put({ policies: { [audience]: { maxViews: at + 2 } } })))
      const { body } = await site.call('GET', '/admin/policies', administrator)
      expect(body).toEqual({
        policies: Object.fromEntries(ALL_ROWS.map((audience, at) => [audience, { maxViews: at + 2 }])),
        version: version + ALL_ROWS.length,
      })
    })

    describe.each(Object.keys(MATRIX) as (keyof typeof MATRIX)[])('%s', (column) => {
      const { strict, generous, attempts } = MATRIX[column]

      test('a strict row refuses requests on each route, and allowed requests pass', async () => {
        const callers = people
        for (const [name, rows] of Object.entries(ROWS)) {
          const headers = callers[name as CallerName]
          await setPolicies(site, rowsOf(rows.slice(-1), strict))
          for (const { route, refused, field, allowed } of attempts) {
            const { status, body } = await send(site, route, headers, refused)
            expect([name, route, status, body.code, body.field]).toEqual([name, route, 403, 'settings.policy', field])
            expect(body.message).toContain(`by the policy for ${rows.at(-1)}`)
            if (column.startsWith('may') || (route === 'upload' && column === 'files')) continue
            expect([name, route, (await send(site, route, headers, allowed)).status]).toEqual([name, route, 201])
          }
        }
      })

      test('rows of other audiences do not apply', async () => {
        const callers = people
        for (const [name, rows] of Object.entries(ROWS)) {
          await setPolicies(
            site,
            rowsOf(
              ALL_ROWS.filter((row) => !rows.includes(row)),
              strict,
            ),
          )
          for (const { route, refused } of attempts) {
            const { status } = await send(site, route, callers[name as CallerName], refused)
            expect([name, route, status]).toEqual([name, route, 201])
          }
        }
      })

      test('the most generous row of several wins', async () => {
        const callers = people
        for (const [name, rows] of Object.entries(ROWS)) {
          for (const row of rows.slice(1)) {
            await setPolicies(site, { ...rowsOf(rows, strict), [row]: generous })
            for (const { route, refused } of attempts) {
              const { status } = await send(site, route, callers[name as CallerName], refused)
              expect([name, row, route, status]).toEqual([name, row, route, 201])
            }
          }
        }
      })
    })

    site.once(() => {
      test('the matrix covers every column that the server enforces', () => {
        expect(Object.keys(MATRIX)).toEqual(COLUMN_NAMES.filter((name) => !name.startsWith('default')))
      })

      test('any maximum of views forbids unlimited views', async () => {
        await setPolicies(site, { visitors: { maxViews: 9999 } })
        for (const [body, field] of [
          [{ preventBurn: true }, 'preventBurn'],
          [{ isPublic: true }, 'maxViews'],
        ] as const) {
          const response = await send(site, 'create', {}, body)
          expect(response.body).toMatchObject({ code: 'settings.policy', field })
        }
        await setPolicies(site, {})
        for (const body of [{ preventBurn: true }, { isPublic: true }]) {
          expect((await send(site, 'create', {}, body)).status).toBe(201)
        }
      })

      test('a sealed secret attests its password with the password proof', async () => {
        await setPolicies(site, { visitors: { password: 'required' } })
        const seal = async (password: string) =>
          (await encryptSecret({ text: encodeText('für ☃'), ttl: HOUR_S, maxViews: 1, password })).body
        expect((await site.call('POST', '/secret', {}, await seal(''))).body).toMatchObject({
          code: 'settings.policy',
          field: 'password',
        })
        await site.call('POST', '/secret', {}, await seal('пароль')).expect(201)
      })

      test('a file for a request counts as a file of the owner', async () => {
        const { user } = people
        const keys = await requestKeys
        const created = await site.call('POST', '/request', user, { ...keys.body, ttl: DAY_S }).expect(201)
        const authorization = { Authorization: `Request ${created.body.id}.${keys.body.submit}` }
        await setPolicies(site, { visitors: { maxFileBytes: 1 }, users: { maxFileBytes: KIB } })
        const upload = (size: number) => site.call('POST', '/files', authorization, file(size))
        expect((await upload(KIB + 1)).body).toMatchObject({ code: 'settings.policy', field: 'size' })
        await upload(KIB).expect(201)
        const open = () =>
          site.call('POST', `/request/${created.body.id}/open`, {}, { submit: keys.body.submit }).expect(200)
        expect((await open()).body.maxFileBytes).toBe(KIB)
        await setPolicies(site, { visitors: { maxFileBytes: 1 } })
        expect((await open()).body.maxFileBytes).toBe(site.app.config.maxFileBytes)
      })

      test('GET /settings returns the policy of the caller', async () => {
        const callers = people
        const read = async (headers: Record<string, string>) => {
          const { body } = await site.call('GET', '/settings', headers).expect(200)
          const { ttlMin, ttlMax, ttlMaxUser, maxViews, maxFileBytes } = body.limits
          const { canCreate, uploads, requests, policy } = body
          return { ttlMin, ttlMax, ttlMaxUser, maxViews, maxFileBytes, canCreate, uploads, requests, policy }
        }
        const free = {
          lifetimes: [{ min: 60, max: 7 * DAY_S }],
          ttl: DAY_S,
          views: 1,
          unlimitedViews: true,
          files: true,
          passwordRequired: false,
          addressRequired: false,
        }
        expect((await read({})).policy).toEqual(free)
        await setPolicies(site, {
          visitors: { mayCreate: false, mayRequest: false },
          users: {
            lifetimes: [
              { min: HOUR_S, max: HOUR_S },
              { min: 2 * HOUR_S, max: 3 * HOUR_S },
            ],
            maxViews: 3,
            defaultViews: 2,
            password: 'required',
            requireAddress: true,
            files: false,
            maxFileBytes: KIB,
          },
          'group:Ops ☃': { lifetimes: [{ min: 4 * DAY_S, max: 28 * DAY_S }], defaultTtl: 5 * DAY_S, files: true },
        })
        expect(await read({})).toMatchObject({
          canCreate: false,
          uploads: false,
          requests: false,
          policy: free,
          ttlMaxUser: 3 * HOUR_S,
        })
        const ofUser = {
          lifetimes: [
            { min: HOUR_S, max: HOUR_S },
            { min: 2 * HOUR_S, max: 3 * HOUR_S },
          ],
          ttl: 3 * HOUR_S,
          views: 2,
          unlimitedViews: false,
          files: false,
          passwordRequired: true,
          addressRequired: true,
        }
        expect(await read(callers.user)).toMatchObject({
          ttlMin: HOUR_S,
          ttlMax: 3 * HOUR_S,
          maxViews: 3,
          maxFileBytes: KIB,
          canCreate: true,
          uploads: false,
          requests: true,
          policy: ofUser,
        })
        const lifetimes = [...ofUser.lifetimes, { min: 4 * DAY_S, max: 28 * DAY_S }]
        expect(await read(callers.member)).toMatchObject({
          ttlMax: 28 * DAY_S,
          uploads: true,
          policy: { ...ofUser, lifetimes, ttl: 5 * DAY_S, files: true },
        })
        expect(await read(callers.token)).toMatchObject({ policy: { ttl: 5 * DAY_S } })
        const ofAdministrator = { ...free, lifetimes: [{ min: 60, max: 28 * DAY_S }] }
        expect(await read(callers.administrator)).toMatchObject({ uploads: true, policy: ofAdministrator })
      })

      test('GET /settings offers the presets that the policy of the caller allows', async () => {
        const { administrator, user } = people
        const put = (presets: object[], headers = administrator) =>
          site.call('PUT', '/admin/presets', headers, { presets })
        const day = { name: 'Пароль, one day ☃', ttl: DAY_S, maxViews: 1, options: ['password'] }
        const month = { name: 'Contract', ttl: 28 * DAY_S, options: ['receipt', 'notify'] }
        const kept = { name: 'Kept', options: ['preventBurn'] }
        const many = { name: 'Many', maxViews: 3, options: [] }
        const named = { name: 'Only for', options: ['recipients'] }
        await put([day], user).expect(403)
        const all = [day, month, kept, many, named]
        expect((await put(all).expect(200)).body).toEqual({ presets: all, version: expect.any(Number) })
        expect((await site.call('GET', '/admin/presets', administrator).expect(200)).body.presets).toHaveLength(5)
        const offered = async (headers: Record<string, string>) =>
          (await site.call('GET', '/settings', headers).expect(200)).body.presets.map(({ name }: Preset) => name)
        // A month is longer than visitors may choose. This instance does not have a plugin that sends codes.
        expect(await offered({})).toEqual([day.name, kept.name, many.name])
        expect(await offered(user)).toEqual([day.name, month.name, kept.name, many.name])
        await setPolicies(site, { users: { lifetimes: [{ min: HOUR_S, max: DAY_S }], maxViews: 2 } })
        expect(await offered(user)).toEqual([day.name])
        await setPolicies(site, { users: { mayCreate: false } })
        expect(await offered(user)).toEqual([])
        await setPolicies(site, {})
        for (const [presets, field] of [
          [[{ options: [] }], 'presets.0.name'],
          [[{ name: ' x' }], 'presets.0.name'],
          [[{ name: 'x'.repeat(41) }], 'presets.0.name'],
          [[{ name: 'x' }, { name: 'X' }], 'presets.1.name'],
          [[{ name: 'x', ttl: 59 }], 'presets.0.ttl'],
          [[{ name: 'x', ttl: 29 * DAY_S }], 'presets.0.ttl'],
          [[{ name: 'x', maxViews: 1, options: ['preventBurn'] }], 'presets.0.maxViews'],
          [[{ name: 'x', options: ['colour'] }], 'presets.0.options.0'],
          [Array.from({ length: 13 }, (_, at) => ({ name: `${at}` })), 'presets'],
        ] as const) {
          expect((await put([...presets]).expect(400)).body).toMatchObject({ code: 'request.invalid', field })
        }
        await put([day]).expect(200)
        await put([]).expect(200)
        await site.app.audit.flush()
        const entries = await site.app.storage.audit.list({ action: 'settings.changed' }, { skip: 0, take: 2 })
        expect(entries.map(({ subject, detail }) => [subject, detail])).toEqual([
          [`preset ${day.name}`, { from: 'ttl=1d maxViews=1 options=password', to: '' }],
          ['preset Only for', { from: 'options=recipients', to: '' }],
        ])
      })

      test('forms start with the defaults of the user, or with the nearest allowed values', async () => {
        const { user, token } = people
        const put = (body: object, headers = user) => site.call('PUT', '/account/defaults', headers, body)
        const start = async (headers: Record<string, string>) => {
          const { ttl, views } = (await site.call('GET', '/settings', headers).expect(200)).body.policy
          return { ttl, views }
        }
        const { body } = await put({ ttl: 3 * DAY_S, views: 4 }).expect(200)
        expect(body.user.defaults).toEqual({ ttl: 3 * DAY_S, views: 4 })
        expect((await site.call('GET', '/account', user).expect(200)).body.user.defaults).toEqual(body.user.defaults)
        expect(await start(user)).toEqual({ ttl: 3 * DAY_S, views: 4 })
        expect([await start({}), await start(token)]).toEqual(Array(2).fill({ ttl: DAY_S, views: 1 }))
        const rows: [Policy, object][] = [
          [
            { defaultTtl: HOUR_S, defaultViews: 2 },
            { ttl: 3 * DAY_S, views: 4 },
          ],
          [
            { lifetimes: [{ min: HOUR_S, max: DAY_S }], maxViews: 2 },
            { ttl: DAY_S, views: 2 },
          ],
          [
            { lifetimes: [{ min: 4 * DAY_S, max: 7 * DAY_S }], maxViews: 5 },
            { ttl: 4 * DAY_S, views: 4 },
          ],
        ]
        for (const [row, expected] of rows) {
          await setPolicies(site, { users: row })
          expect(await start(user)).toEqual(expected)
        }
        expect((await put({ ttl: HOUR_S }).expect(403)).body).toMatchObject({ code: 'settings.policy', field: 'ttl' })
        expect((await put({ views: 6 }).expect(403)).body).toMatchObject({ code: 'settings.policy', field: 'views' })
        await setPolicies(site, {})
        for (const [wrong, field] of [
          [{ ttl: 29 * DAY_S }, 'ttl'],
          [{ ttl: 59 }, 'ttl'],
          [{ views: 0 }, 'views'],
          [{ password: 'пароль' }, 'password'],
        ] as const) {
          expect((await put(wrong).expect(400)).body).toMatchObject({ code: 'request.invalid', field })
        }
        await put({ ttl: HOUR_S }, {}).expect(401)
        await put({ ttl: null }).expect(200)
        expect(await start(user)).toEqual({ ttl: DAY_S, views: 4 })
        await put({ views: null }).expect(200)
      })

      test('administrators change rows, which are audited, and explain them', async () => {
        const { administrator, user } = people
        const put = (policies: object, headers = administrator) =>
          site.call('PUT', '/admin/policies', headers, { policies })
        await put({ users: { maxViews: 1 } }, user).expect(403)
        await put({ users: { maxViews: 1, defaultTtl: HOUR_S }, 'group:Ops ☃': { maxViews: 5 } }).expect(200)
        const { body } = await put({ visitors: { files: false }, 'group:Ops ☃': null, administrators: {} }).expect(200)
        const expected = {
          policies: { users: { maxViews: 1, defaultTtl: HOUR_S }, visitors: { files: false } },
          version: expect.any(Number),
        }
        expect(body).toEqual(expected)
        expect((await site.call('GET', '/admin/policies', administrator).expect(200)).body).toEqual(expected)
        await site.app.audit.flush()
        const entries = await site.app.storage.audit.list({ action: 'settings.changed' }, { skip: 0, take: 4 })
        expect(entries.map(({ subject, detail }) => [subject, detail])).toEqual([
          ['policy group:Ops ☃', { from: 'maxViews=5', to: '' }],
          ['policy visitors', { from: '', to: 'files=false' }],
          ['policy group:Ops ☃', { from: '', to: 'maxViews=5' }],
          ['policy users', { from: '', to: 'defaultTtl=1h maxViews=1' }],
        ])
        const explain = async (query: string) =>
          (await site.call('GET', `/admin/policies/explain${query}`, administrator).expect(200)).body
        const { username } = await site.app.signUp()
        expect((await explain(`?username=${username}`)).values).toContainEqual({
          column: 'maxViews',
          value: '1',
          from: ['users'],
        })
        expect((await explain('')).values).toContainEqual({ column: 'maxViews', value: 'unlimited', from: [] })
        await site.call('GET', '/admin/policies/explain?username=unknown', administrator).expect(404)
      })

      test('contradictory rows and rows that contradict the configuration are refused with the field', async () => {
        const { administrator } = people
        for (const [policies, field] of [
          [{ everyone: {} }, 'policies.everyone'],
          [{ 'group:': {} }, 'policies.group:'],
          [{ users: { colour: 1 } }, 'policies.users.colour'],
          [{ users: { maxViews: 0 } }, 'policies.users.maxViews'],
          [{ users: { lifetimes: [] } }, 'policies.users.lifetimes'],
          [{ users: { lifetimes: [{ min: 120, max: 60 }] } }, 'policies.users.lifetimes.0'],
          [{ visitors: { lifetimes: [{ min: 60, max: 8 * DAY_S }] } }, 'policies.visitors.lifetimes'],
          [{ visitors: { defaultTtl: 8 * DAY_S } }, 'policies.visitors.defaultTtl'],
          [{ users: { lifetimes: [{ min: 60, max: 60 }], defaultTtl: 61 } }, 'policies.users.defaultTtl'],
          [{ users: { maxViews: 1, defaultViews: 2 } }, 'policies.users.defaultViews'],
          [{ users: { maxFileBytes: 2 ** 40 } }, 'policies.users.maxFileBytes'],
          [Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`group:${at}`, { maxViews: 1 }])), 'policies'],
        ] as const) {
          const response = await site.call('PUT', '/admin/policies', administrator, { policies })
          expect([field, response.status, response.body.code, response.body.field]).toEqual([
            field,
            400,
            'request.invalid',
            field,
          ])
        }
      })

      test('groups of an administrator count in addition to groups of a provider, and sign-ins do not change them', async () => {
        const { administrator } = people
        await setPolicies(site, {
          users: { maxViews: 1 },
          'group:Sales': { maxViews: 2 },
          'group:Ops ☃': { maxViews: 3 },
        })
        const identity = anOutsider()
        const headers = (groups?: string[]) => ({
          ...OWN_PAGE,
          'X-Company-Identity': JSON.stringify({ ...identity, groups }),
        })
        const create = async (given: Record<string, string>, maxViews: number) =>
          (await send(site, 'create', given, { maxViews })).status
        expect(await create(headers(['Sales']), 2)).toBe(201)
        const user = await site.app.storage.users.findByIdentity({ provider: 'company', subject: identity.subject })
        const { username = '' } = user ?? {}
        const assign = (groups: string[]) =>
          site.call('PUT', '/admin/users', administrator, { username, groups }).expect(200)
        expect(await create(headers(['Sales']), 3)).toBe(403)
        await assign(['Ops ☃', 'Sales', 'without a policy'])
        expect(await create(headers(['Sales']), 3)).toBe(201)
        expect(await create(headers([]), 3)).toBe(201)
        await create(headers(['Sales']), 2)
        const explained = await site.call('GET', `/admin/policies/explain?username=${username}`, administrator)
        expect(explained.body.groups).toEqual([
          { name: 'Ops ☃', provider: null },
          { name: 'Sales', provider: null },
          { name: 'Sales', provider: 'company' },
          { name: 'without a policy', provider: null },
        ])
        expect(explained.body.values).toContainEqual({
          column: 'maxViews',
          value: '3',
          from: ['group:Ops ☃'],
        })
        await assign([])
        expect(await create(headers(), 2)).toBe(201)
        expect(await create(headers(), 3)).toBe(403)
      })

      test('groups of an administrator apply to sessions and API tokens of a local user at once', async () => {
        const { administrator } = people
        await setPolicies(site, { users: { maxViews: 1 }, 'group:für ☃': { maxViews: 2 } })
        const user = await site.app.signUp()
        const callers = [
          { ...OWN_PAGE, ...(await site.app.as(user)) },
          { Authorization: `Bearer ${await site.app.tokenOf(user)}` },
        ]
        const statuses = async () => {
          const found: number[] = []
          for (const caller of callers) found.push((await send(site, 'create', caller, { maxViews: 2 })).status)
          return found
        }
        expect(await statuses()).toEqual([403, 403])
        await site
          .call('PUT', '/admin/users', administrator, { username: user.username, groups: ['für ☃'] })
          .expect(200)
        expect(await statuses()).toEqual([201, 201])
        await site.call('PUT', '/admin/users', administrator, { username: user.username, groups: [] }).expect(200)
        expect(await statuses()).toEqual([403, 403])
      })

      test('each sign-in stores the groups that policies name, which count while the provider is configured', async () => {
        const identity = anOutsider()
        const headers = (groups?: string[]) => ({
          ...OWN_PAGE,
          'X-Company-Identity': JSON.stringify({ ...identity, groups }),
        })
        const find = () => site.app.storage.users.findByIdentity({ provider: 'company', subject: identity.subject })
        const namesOf = async () => (await find())?.groups?.names
        await site.call('GET', '/account', headers(['Sales'])).expect(200)
        expect(await namesOf()).toBeUndefined()
        await setPolicies(site, { users: { maxViews: 1 }, 'group:Sales': { maxViews: 2 } })
        const create = (given: Record<string, string>, maxViews = 2) => send(site, 'create', given, { maxViews })
        const first = await create(headers(['x', 'Sales']))
        expect([first.status, first.body.code]).toEqual([201, undefined])
        expect(await namesOf()).toEqual(['Sales'])
        // Unknown groups change nothing.
        expect((await create(headers())).status).toBe(201)
        const user = await find()
        const session = await site.app.as({ ...(user as NonNullable<typeof user>), password: '' })
        expect((await create(session)).status).toBe(201)
        expect((await create(headers(['sales']))).body.code).toBe('settings.policy')
        expect((await create(session)).body.code).toBe('settings.policy')
        // A provider that reports none of them does not change the groups of another provider.
        const ofOther = { provider: 'other', names: ['Sales'] }
        await site.app.storage.users.update(user?.id ?? '', { groups: ofOther })
        await create(headers(['x']))
        expect((await find())?.groups).toEqual(ofOther)
        await create(headers(['Sales']))
        await site.restart({ auth: [] })
        expect((await create(session)).body.code).toBe('settings.policy')
      })
    })
  },
  { shared: true, app: { auth: [fakeAuth()] } },
)

const rowsOf = (audiences: string[], policy: Policy): Policies =>
  Object.fromEntries(audiences.map((audience) => [audience, policy]))

/** Replaces all policies. */
async function setPolicies(site: Site, policies: Policies): Promise<void> {
  await site.app.settings.policies.update(() => policies, { username: 'boss', address: null })
}

async function signInAll({ app }: Site): Promise<Record<CallerName, Record<string, string>>> {
  const signUp = async (names: string[]) => {
    const user = await app.signUp()
    const groups = names.length === 0 ? null : { provider: 'company', names }
    await app.storage.users.update(user.id, { groups })
    return user
  }
  const member = await signUp(GROUPS.slice(0, 1))
  const boss = await app.signUp({ role: 'admin' })
  await app.settings.update({ who_can_request: 'anyone' }, { username: 'boss', address: null })
  return {
    visitor: {},
    user: { ...OWN_PAGE, ...(await app.as(await signUp([]))) },
    member: { ...OWN_PAGE, ...(await app.as(member)) },
    'member of two': { ...OWN_PAGE, ...(await app.as(await signUp(GROUPS))) },
    administrator: { ...OWN_PAGE, ...(await app.as(boss)) },
    token: { Authorization: `Bearer ${await app.tokenOf(member)}` },
  }
}

/** The same keys for each: a new pair takes long. */
const requestKeys = createRequestKeys({ title: '☃', instructions: '' })

/** A request that every row of the matrix allows, apart from the given fields. */
async function send(site: Site, route: RouteName, headers: Record<string, string>, differing: object) {
  if (route === 'upload') return site.call('POST', '/files', headers, differing)
  if (route === 'create') return site.call('POST', '/secret', headers, { text: 'für ☃', ttl: HOUR_S, ...differing })
  const { body } = await requestKeys
  return site.call('POST', '/request', headers, { ...body, ttl: HOUR_S, allowFiles: true, ...differing })
}
