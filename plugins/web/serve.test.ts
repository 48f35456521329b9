import { createServer } from 'node:http'
import request from 'supertest'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Plugin } from '#core'
import { type TestApp, testApp } from '#core/testing/test-app'
import { builtIns } from '#plugins'

let app: TestApp
let script: string
beforeAll(async () => {
  const [memory, web] = await Promise.all([builtIns.memory(), builtIns.web()])
  app = await testApp(memory.default as Plugin, { plugins: [web.default as unknown as Plugin] })
  const { text } = await ask('/', 'identity')
  script = /src="(\/assets\/[^"]+\.js)"/.exec(text)?.[1] ?? ''
})
afterAll(() => app.close())

const ask = (path: string, encodings: string) =>
  request(createServer(app.handler)).get(path).set('Accept-Encoding', encodings)

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['identity', undefined],
  ['', undefined],
])('a browser that takes "%s" gets %s', async (encodings, expected) => {
  for (const path of ['/', script]) {
    const { headers } = await ask(path, encodings).expect(200)
    expect(headers['content-encoding'], path).toBe(expected)
    expect(headers.vary).toContain('Accept-Encoding')
  }
})
