/** Who may use which endpoint: every route, every kind of caller, every way to authenticate. */
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { fakeAuth } from '#test/fake-auth'
import { OWN_PAGE, onMemory, type Site } from '#test/for-each-storage'
import type { TestUser } from '#test/test-app'
import { ERRORS, type ErrorCode } from '../lib/errors.js'
import { anId } from '../testing/lib/fixtures.js'
import { routes } from './routes/index.js'

/** Meaning of a cell of the table. `ok`: the success status of the route. */
const REFUSALS: Record<string, ErrorCode> = {
  in: 'auth.required',
  bad: 'auth.invalid_token',
  adm: 'auth.admin_only',
  scp: 'auth.scope',
  set: 'auth.setup_code',
}

/**
 * Columns: visitor; user by cookie, by token; administrator by cookie, by token; deleted user by cookie, by
 * token. A token is shown as Basic and as Bearer, and may do all that its account may.
 */
const TABLE = `
  POST   /secret                        ok | ok  ok  | ok  ok  | ok  bad
  GET    /secret                        in | ok  ok  | ok  ok  | in  bad
  GET    /secret/public                 ok | ok  ok  | ok  ok  | ok  bad
  GET    /secret/public/:username       ok | ok  ok  | ok  ok  | ok  bad
  GET    /secret/:id/exist              ok | ok  ok  | ok  ok  | ok  bad
  GET    /secret/:id                    ok | ok  ok  | ok  ok  | ok  bad
  POST   /secret/:id                    ok | ok  ok  | ok  ok  | ok  bad
  POST   /secret/:id/ack                ok | ok  ok  | ok  ok  | ok  bad
  POST   /secret/:id/burn               ok | ok  ok  | ok  ok  | ok  bad
  POST   /files                         ok | ok  ok  | ok  ok  | ok  bad
  PUT    /files/:id/:index              ok | ok  -   | ok  -   | ok  -
  GET    /files/:id                     ok | ok  -   | ok  -   | ok  -
  DELETE /files/:id                     ok | ok  -   | ok  -   | ok  -
  POST   /download                      ok | ok  ok  | ok  ok  | ok  bad
  POST   /authentication/signup         ok | ok  ok  | ok  ok  | ok  bad
  POST   /authentication/signin         ok | ok  ok  | ok  ok  | ok  bad
  POST   /authentication/setup         set | set set | set set | set bad
  POST   /authentication/signout        ok | ok  ok  | ok  ok  | ok  bad
  GET    /authentication/:provider/start    ok | ok  ok  | ok  ok  | ok  bad
  GET    /authentication/:provider/connect  in | ok  in  | ok  in  | in  bad
  GET    /authentication/:provider/callback ok | ok  ok  | ok  ok  | ok  bad
  GET    /authentication/verify         in | ok  ok  | ok  ok  | in  bad
  GET    /authentication/refresh        in | ok  in  | ok  in  | in  bad
  GET    /account                       in | ok  ok  | ok  ok  | in  bad
  PUT    /account/update                in | ok  scp | ok  scp | in  bad
  POST   /account/delete                in | ok  ok  | ok  ok  | in  bad
  GET    /account/sessions              in | ok  ok  | ok  ok  | in  bad
  DELETE /account/sessions              in | ok  ok  | ok  ok  | in  bad
  GET    /account/identities            in | ok  ok  | ok  ok  | in  bad
  DELETE /account/identities            in | ok  scp | ok  scp | in  bad
  GET    /account/tokens                in | ok  ok  | ok  ok  | in  bad
  POST   /account/tokens                in | ok  scp | ok  scp | in  bad
  DELETE /account/tokens                in | ok  ok  | ok  ok  | in  bad
  GET    /admin/users                   in | adm adm | ok  ok  | in  bad
  POST   /admin/users                   in | adm adm | ok  ok  | in  bad
  PUT    /admin/users                   in | adm adm | ok  ok  | in  bad
  DELETE /admin/users                   in | adm adm | ok  ok  | in  bad
  DELETE /admin/sessions                in | adm adm | ok  ok  | in  bad
  GET    /admin/settings                in | adm adm | ok  ok  | in  bad
  PUT    /admin/settings                in | adm adm | ok  ok  | in  bad
  GET    /stats                         ok | ok  ok  | ok  ok  | ok  bad
  GET    /settings                      ok | ok  ok  | ok  ok  | ok  bad
  GET    /healthz                       ok | ok  ok  | ok  ok  | ok  bad
  GET    /readyz                        ok | ok  ok  | ok  ok  | ok  bad
`
const COLUMNS = [
  'nobody',
  'user cookie',
  'user token',
  'admin cookie',
  'admin token',
  'deleted cookie',
  'deleted token',
]

const rows = TABLE.trim()
  .split('\n')
  .map((line) => {
    const [method = '', path = '', ...cells] = line.replaceAll('|', ' ').trim().split(/\s+/)
    return { method, path, cells }
  })

const all = routes({
  ...{ maxTextBytes: 2 ** 20, maxFileBytes: 2 ** 20, maxFiles: 20, ttlMaxAnonymous: 60, ttlMaxUser: 60 },
  ...{ passwordMin: 5, passwordMax: 50, statsFor: 'anyone' as const, publicUrl: 'https://secrets.example.org' },
  version: '',
})

test('the table contains every route', () => {
  const listed = rows.map(({ method, path }) => `${method} ${path}`).sort()
  expect(listed).toEqual(all.map(({ method, path }) => `${method} ${path}`).sort())
  expect(rows.every(({ cells }) => cells.length === COLUMNS.length)).toBe(true)
})

/** A request that is in order. */
interface Request {
  path?: string
  headers?: Record<string, string>
  body?: unknown
}

type Given = (site: Site, who: TestUser | null) => Promise<Request>

const aName = () => `n${randomBytes(6).toString('hex')}`

async function aSecret({ call }: Site, more = {}) {
  return (await call('POST', '/secret', {}, { text: 'für alle ☃', ttl: 60, isPublic: true, ...more }).expect(201)).body
}

async function anUpload({ call }: Site) {
  return (await call('POST', '/files', {}, { size: 9, parts: 1 }).expect(201)).body
}

const ofUpload =
  (path: (id: string) => string): Given =>
  async (site) => {
    const { id, token } = await anUpload(site)
    return { path: path(id), headers: { Authorization: `Upload ${token}` } }
  }

const GIVEN: Record<string, Given> = {
  'POST /secret': async () => ({ body: { text: '☃', ttl: 60 } }),
  'GET /secret/public/:username': async () => ({ path: '/secret/public/nobody' }),
  'GET /secret/:id/exist': async (site) => ({ path: `/secret/${(await aSecret(site)).id}/exist` }),
  'GET /secret/:id': async (site) => ({ path: `/secret/${(await aSecret(site)).id}` }),
  'POST /secret/:id': async (site) => ({ path: `/secret/${(await aSecret(site)).id}`, body: { claim: anId() } }),
  'POST /secret/:id/ack': async (site) => ({
    path: `/secret/${(await aSecret(site)).id}/ack`,
    body: { claim: anId() },
  }),
  async 'POST /secret/:id/burn'(site) {
    const { id, burnToken } = await aSecret(site)
    return { path: `/secret/${id}/burn`, body: { burnToken } }
  },
  'POST /files': async () => ({ body: { size: 9, parts: 1 } }),
  async 'PUT /files/:id/:index'(site, who) {
    const request = await ofUpload((id) => `/files/${id}/0`)(site, who)
    return { ...request, headers: { ...request.headers, 'Content-Length': '9' }, body: '123456789' }
  },
  'GET /files/:id': ofUpload((id) => `/files/${id}`),
  'DELETE /files/:id': ofUpload((id) => `/files/${id}`),
  async 'POST /download'(site) {
    const content = Buffer.from('☃').toString('base64')
    const { id } = await aSecret(site, { files: [{ name: 'a', content }] })
    const { body } = await site.call('GET', `/secret/${id}`).expect(200)
    return { body: { key: body.files[0].key, secretId: id } }
  },
  async 'POST /authentication/signup'() {
    const username = aName()
    return { body: { username, email: `${username}@example.org`, password: 'long enough ☃' } }
  },
  async 'POST /authentication/signin'(site) {
    const { username, password } = await site.app.signUp()
    return { body: { username, password } }
  },
  async 'POST /authentication/setup'() {
    const username = aName()
    return { body: { username, email: `${username}@example.org`, password: 'long enough ☃', code: 'no' } }
  },
  'GET /authentication/:provider/start': async () => ({ path: '/authentication/company/start' }),
  'GET /authentication/:provider/connect': async () => ({ path: '/authentication/company/connect' }),
  'GET /authentication/:provider/callback': async () => ({ path: '/authentication/company/callback' }),
  'PUT /account/update': async (_, who) => ({
    body: { currentPassword: who?.password ?? 'none', email: `${aName()}@example.org` },
  }),
  'POST /account/delete': async (_, who) => ({ body: { password: who?.password ?? 'none' } }),
  'DELETE /account/sessions': async () => ({ body: {} }),
  async 'DELETE /account/identities'({ app }, who) {
    if (who && (await app.storage.users.get(who.id))) {
      await app.storage.users.link(who.id, { provider: 'company', subject: aName() })
    }
    return { body: { provider: 'company' } }
  },
  'POST /account/tokens': async () => ({ body: { name: 'ci' } }),
  async 'DELETE /account/tokens'({ app }, who) {
    const token = who && (await app.storage.users.get(who.id)) ? await app.tokenOf(who) : 'mf_none'
    return { body: { id: token.split('_')[1] } }
  },
  async 'POST /admin/users'() {
    const username = aName()
    return { body: { username, email: `${username}@example.org`, password: 'long enough ☃' } }
  },
  'PUT /admin/users': async ({ app }) => ({ body: { username: (await app.signUp()).username, role: 'admin' } }),
  'DELETE /admin/users': async ({ app }) => ({ body: { username: (await app.signUp()).username } }),
  'DELETE /admin/sessions': async ({ app }) => ({ body: { username: (await app.signUp()).username } }),
  'PUT /admin/settings': async () => ({ body: { disable_file_upload: false } }),
}

type Shown = { who: TestUser | null; headers: Record<string, string> }

/** Everyone who the column stands for, made anew. */
async function callers({ app }: Site, column: string): Promise<Shown[]> {
  const [role = '', way] = column.split(' ')
  if (role === 'nobody') return [{ who: null, headers: {} }]
  const shown: Shown[] = []
  for (const scheme of way === 'cookie' ? ['cookie'] : ['Basic', 'Bearer']) {
    const who = await app.signUp({ role: role === 'admin' ? 'admin' : 'user' })
    const token = way === 'cookie' ? '' : await app.tokenOf(who)
    const value = scheme === 'Basic' ? Buffer.from(`${token}:x`).toString('base64') : token
    const headers = way === 'cookie' ? await app.as(who) : { Authorization: `${scheme} ${value}` }
    if (role === 'deleted') await app.storage.users.remove(who.id, app.clock.now)
    shown.push({ who, headers })
  }
  return shown
}

onMemory(
  (site) => {
    test.each(rows)('$method $path', async ({ method, path, cells }) => {
      if (!(await site.app.storage.users.hasAdmin())) await site.app.signUp({ role: 'admin' })
      const success = all.find((call) => call.method === method && call.path === path)?.status as number
      const answers: string[] = []
      const expected: string[] = []
      for (const [index, column] of COLUMNS.entries()) {
        const cell = cells[index] as string
        // Parts of files say with the same header whose upload they are.
        if (cell === '-') continue
        const refusal = REFUSALS[cell]
        for (const { who, headers } of await callers(site, column)) {
          const request = (await GIVEN[`${method} ${path}`]?.(site, who)) ?? {}
          const sent = { ...OWN_PAGE, ...headers, ...request.headers }
          const answer = await site.call(method, request.path ?? path, sent, request.body)
          answers.push(`${column}: ${answer.status} ${answer.body?.code ?? ''}`)
          expected.push(`${column}: ${refusal ? `${ERRORS[refusal][0]} ${refusal}` : `${success} `}`)
        }
      }
      expect(answers).toEqual(expected)
    })
  },
  { shared: true, app: { auth: [fakeAuth()] } },
)
