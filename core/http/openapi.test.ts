import { expect, test } from 'vitest'
import { z } from 'zod'
import { openApiDocument } from './openapi/document.js'
import { routes } from './routes/index.js'
import type { RouteConfig } from './routes/route.js'

// Its settings do not matter here.
const all = routes({} as RouteConfig)
const document = openApiDocument(all, { publicUrl: 'https://example.org/secrets', version: '0' })

interface Operation {
  tags: string[]
  security?: Record<string, string[]>[]
  requestBody?: { required: boolean; content: Record<string, { example?: unknown }> }
  responses: Record<string, { description: string }>
}

const operationOf = ({ path, method }: { path: string; method: string }) =>
  document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()] as Operation

test('V2.1.1: the document contains every route in a declared group', () => {
  const tags = document.tags.map(({ name }) => name)
  for (const call of all) expect(tags).toContain(operationOf(call).tags[0])
  expect(document.servers).toEqual([{ url: 'https://example.org/secrets/api/v1' }])
})

test('V2.1.1: every example is a valid request', () => {
  const withBody = all.filter(({ body }) => body)
  for (const call of withBody) {
    const example = operationOf(call).requestBody?.content['application/json']?.example
    expect(
      call.body?.safeParse(example).error,
      `${call.method} ${call.path} ${JSON.stringify(example)}`,
    ).toBeUndefined()
  }
  expect(withBody.length).toBeGreaterThan(4)
})

test('every list in a request body has a maximum length', () => {
  const hasUnlimitedList = (schema: unknown): boolean => {
    if (typeof schema !== 'object' || schema === null) return false
    const isUnlimited = 'type' in schema && schema.type === 'array' && !('maxItems' in schema)
    return isUnlimited || Object.values(schema).some(hasUnlimitedList)
  }
  const bodies = all.flatMap(({ body, path }) =>
    body ? [{ path, schema: z.toJSONSchema(body, { io: 'input' }) }] : [],
  )
  expect(bodies.filter(({ schema }) => hasUnlimitedList(schema)).map(({ path }) => path)).toEqual([])
  expect(bodies.some(({ schema }) => JSON.stringify(schema).includes('maxItems'))).toBe(true)
})

test('every operation lists the statuses of a wrong host, of rate limits and of its own errors', () => {
  for (const route of all)
    expect(Object.keys(operationOf(route).responses)).toEqual(expect.arrayContaining(['421', '429']))
  const responsesOf = (method: string, path: string) => operationOf({ method, path }).responses
  expect(responsesOf('GET', '/secret/:id')).toHaveProperty('423')
  expect(responsesOf('POST', '/secret')['503']?.description).toContain('server.busy')
})

test('a body of which every field is optional is optional', () => {
  const isRequired = (method: string, path: string) => operationOf({ method, path }).requestBody?.required
  expect(isRequired('POST', '/secret')).toBe(true)
  expect(isRequired('POST', '/secret/:id/burn')).toBe(false)
  expect(isRequired('DELETE', '/account/sessions')).toBe(false)
})

test.each([
  ['https://example.org', '__Host-session'],
  ['http://localhost:3000', 'session'],
])('the cookie of a session at %s is %s', (publicUrl, name) => {
  const { components } = openApiDocument(all, { publicUrl, version: '0' })
  expect(components.securitySchemes.session).toMatchObject({ in: 'cookie', name })
})

test('authentication schemes are optional', () => {
  const [without, ...ways] = document.security
  expect(without).toEqual({})
  expect(ways.map((way) => Object.keys(way)[0])).toEqual(['token', 'bearer', 'session'])
})

test('authentication of uploads is a security scheme, because OpenAPI ignores parameters named authorization', () => {
  const securityOf = (method: string, path: string) =>
    operationOf({ method, path }).security?.map((one) => Object.keys(one)[0])
  expect(securityOf('PUT', '/files/:id/:index')).toEqual(['upload'])
  expect(securityOf('POST', '/files')).toEqual([undefined, 'session', 'token', 'bearer', 'request'])
  const named = all.flatMap((route) => operationOf(route).security ?? []).flatMap((one) => Object.keys(one))
  expect(Object.keys(document.components.securitySchemes)).toEqual(expect.arrayContaining(named))
})
