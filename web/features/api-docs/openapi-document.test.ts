import { describe, expect, test } from 'vitest'
import { openApiDocument as createDocument } from '#core/http/openapi/document'
import { routes } from '#core/http/routes/index'
import type { RouteConfig } from '#core/http/routes/route'
import { InvalidResponseError } from '#shared/check-json'
import { describeLimits, readApiDocument, type Schema, typeName } from './openapi-document.js'

test.each<[Schema, string]>([
  [{ type: 'integer', minimum: 1, maximum: 9999 }, '1 to 9999'],
  [{ type: 'integer', minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }, ''],
  [{ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 }, 'at least 0, default: 0'],
  [{ type: 'string', minLength: 1, maxLength: 1024 }, '1 to 1024 characters'],
  [{ type: 'string', maxLength: 64, default: '' }, 'up to 64 characters'],
  [{ type: 'string', pattern: '^[A-Za-z0-9_-]{4,20}$' }, 'pattern: ^[A-Za-z0-9_-]{4,20}$'],
  [{ type: 'string', pattern: `^(${'a|'.repeat(40)}b)$` }, ''],
  [{ type: 'boolean', default: true }, 'default: true'],
  [{ type: 'boolean' }, ''],
])('describeLimits of %j is "%s"', (schema, text) => {
  expect(describeLimits(schema)).toBe(text)
})

test.each<[Schema, string]>([
  [{ enum: ['user', 'admin'] }, '"user" | "admin"'],
  [{ anyOf: [{ type: 'string' }, { type: 'string' }, { type: 'null' }] }, 'string | null'],
  [{ type: 'array', items: { type: 'object' } }, 'object[]'],
  [{ type: ['string', 'null'] }, 'string | null'],
  [{}, 'any'],
])('typeName of %j is %s', (schema, name) => {
  expect(typeName(schema)).toBe(name)
})

test('the document of this version is accepted, with every operation', () => {
  const all = routes({} as RouteConfig)
  const document = createDocument(all, { publicUrl: 'https://example.org/base', version: '0' })
  const { groups } = readApiDocument(JSON.parse(JSON.stringify(document)), 'https://example.org/base/api/v1')
  const shown = groups.flatMap(({ operations }) => operations.map(({ method, path }) => `${method} ${path}`))
  const expected = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(shown.sort()).toEqual(expected.sort())
})

describe('a changed OpenAPI document', () => {
  const SERVER = 'https://secrets.example.org/base/api/v1'
  const operation = {
    operationId: 'look',
    summary: 'Lök at a secret',
    tags: ['Secrets'],
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
    responses: { 200: { description: 'OK', content: { 'application/json': { schema: { type: 'object' } } } } },
  }
  const documentOf = (path: string, method: string, changes: object = {}) => ({
    servers: [{ url: 'https://evil.example/api/v1' }],
    tags: [{ name: 'Secrets' }],
    paths: { [path]: { [method]: { ...operation, ...changes } } },
  })
  const read = (path: string, method: string, changes?: object) =>
    readApiDocument(documentOf(path, method, changes), SERVER)

  test('CRY-17: does not change the address to which a copied command sends the API token', () => {
    const { server, groups } = read('/secret/{id}', 'get')
    expect(server).toBe(SERVER)
    expect(JSON.stringify(groups)).not.toContain('evil.example')
  })

  test('cannot reverse a text', () => {
    const { groups } = read('/secret/{id}', 'get', { summary: 'Lök\u202e\u2028 at\x1b it' })
    expect(groups[0]?.operations[0]?.summary).toBe('Lök at it')
  })

  test.each<[what: string, path: string, method: string, changes?: object]>([
    ['a path without a slash', '@evil.example/', 'get'],
    ['a path with two slashes', '//evil.example/x', 'get'],
    ['a path with a backslash', '/\\evil.example', 'get'],
    ['a path with a query', '/secret?x=1', 'get'],
    ['a method with a blank', '/secret', 'get -o ~/.profile'],
    ['an unknown method', '/secret', 'toString'],
    ['a parameter with a quote', '/secret', 'get', { parameters: [{ name: "x'", in: 'header', schema: {} }] }],
    ['a parameter in a cookie', '/secret', 'get', { parameters: [{ name: 'x', in: 'cookie', schema: {} }] }],
    ['a text that is none', '/secret', 'get', { summary: { toString: 'x' } }],
    ['a nested type that is none', '/secret', 'get', { parameters: [{ name: 'x', in: 'path', schema: { items: 7 } }] }],
    ['no responses', '/secret', 'get', { responses: null }],
  ])('with %s is refused', (_, path, method, changes) => {
    expect(() => read(path, method, changes)).toThrow(InvalidResponseError)
  })

  test.each([null, [], 'x', {}, { tags: {}, paths: {} }, { tags: [], paths: [] }])('%j is refused', (document) => {
    expect(() => readApiDocument(document, SERVER)).toThrow(InvalidResponseError)
  })
})
