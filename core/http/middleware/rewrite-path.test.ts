import Koa from 'koa'
import request from 'supertest'
import { expect, test } from 'vitest'
import type { AppState } from '../lib/state.js'
import { rewritePath } from './rewrite-path.js'

test.each([
  ['', '/', '/'],
  ['', '/api', '/api/v1'],
  ['', '/api/secret', '/api/v1/secret'],
  ['', '/api/v1', '/api/v1'],
  ['', '/api/v1/secret', '/api/v1/secret'],
  ['', '/api/v1x', '/api/v1/v1x'],
  ['', '/apiary', '/apiary'],
  ['', '/API/secret', '/API/secret'],
  ['/base', '/base', '/'],
  ['/base', '/base/secret/x', '/secret/x'],
  ['/base', '/base/api/secret', '/api/v1/secret'],
  ['/base', '/api/v1/secret', '/api/v1/secret'],
  ['/base', '/based', '/based'],
])('with base "%s" %s becomes %s', async (base, path, expected) => {
  const app = new Koa<AppState>()
  app.use(rewritePath(base))
  app.use((ctx) => {
    ctx.body = { path: ctx.path, query: ctx.query }
  })
  const { body } = await request(app.callback()).get(`${path}?x=1`)
  expect(body).toEqual({ path: expected, query: { x: '1' } })
})
