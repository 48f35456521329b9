/**
 * Control server of the benchmark: create, view and settings with Koa, its router, koa-body and a Map, as an
 * application without storage, limits, sign-in and security headers would write them. The CPU time of Mayfly is
 * compared with it.
 */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Router from '@koa/router'
import Koa from 'koa'
import { koaBody } from 'koa-body'

interface Secret {
  text: string
  access: string
  expiresAt: number
  viewsLeft: number
}

const PROOF = /^[A-Za-z0-9_-]{43}$/
const SETTINGS = { read_only: false, disable_users: false, limits: { maxTextBytes: 2 ** 20, ttlMax: 604_800 } }

const secrets = new Map<string, Secret>()
const page = readFileSync(new URL('web/index.html', import.meta.url), 'utf8')
const router = new Router()

router.post('/api/v1/secret', (ctx) => {
  const { text, ttl, access, maxViews } = (ctx.request.body ?? {}) as Record<string, unknown>
  if (typeof text !== 'string' || typeof ttl !== 'number' || typeof access !== 'string' || !PROOF.test(access)) {
    ctx.status = 400
    ctx.body = { statusCode: 400, error: 'Bad Request', message: 'The request is invalid.' }
    return
  }
  const id = randomBytes(16).toString('base64url')
  const burnToken = randomBytes(32).toString('base64url')
  const expiresAt = Date.now() + ttl * 1000
  const viewsLeft = typeof maxViews === 'number' ? maxViews : 1
  secrets.set(id, { text, access, expiresAt, viewsLeft })
  ctx.status = 201
  ctx.body = { id, url: `${ctx.origin}/secret/${id}`, burnToken, expiresAt, maxViews: viewsLeft, kind: 'sealed' }
})

router.post('/api/v1/secret/:id', (ctx) => {
  const id = ctx.params.id as string
  const secret = secrets.get(id)
  const { access } = (ctx.request.body ?? {}) as Record<string, unknown>
  if (!secret || secret.access !== access || secret.expiresAt <= Date.now()) {
    ctx.status = 404
    ctx.body = { statusCode: 404, error: 'Not Found', message: 'There is no such secret.' }
    return
  }
  secret.viewsLeft--
  if (secret.viewsLeft === 0) secrets.delete(id)
  const { text, expiresAt, viewsLeft: maxViews } = secret
  ctx.body = { id, kind: 'sealed', text, title: null, files: [], maxViews, isPublic: false, expiresAt }
})

router.get('/api/v1/settings', (ctx) => {
  ctx.body = SETTINGS
})

router.get('/', (ctx) => {
  ctx.type = 'html'
  ctx.body = page
})

const app = new Koa()
app.use(koaBody({ jsonLimit: '4mb' }))
app.use(router.routes())
const server = createServer(app.callback())
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
