import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { buildRequest, toCurl } from './build-request.js'
import type { Operation } from './openapi-document.js'

const VIEW: Operation = {
  operationId: 'x',
  method: 'POST',
  path: '/secret/{id}',
  summary: '',
  tags: [],
  parameters: [
    { name: 'id', in: 'path', required: true, schema: {} },
    { name: 'take', in: 'query', schema: {} },
    { name: 'skip', in: 'query', schema: {} },
    { name: 'mayfly-access', in: 'header', schema: {} },
  ],
  responses: {},
}
const SERVER = 'https://example.org/api/v1'
const prepared = (filled: Partial<Parameters<typeof buildRequest>[1]>, operation = VIEW) =>
  buildRequest(operation, { values: {}, body: '', token: '', ...filled }, SERVER)

test('buildRequest places the parameters and leaves out empty ones', () => {
  const values = { id: 'a/b c', take: '10', skip: '', 'mayfly-access': 'proof' }
  expect(prepared({ values, body: '{"a":1}', token: 'tökén' })).toEqual({
    method: 'POST',
    url: `${SERVER}/secret/a%2Fb%20c?take=10`,
    headers: {
      'mayfly-access': 'proof',
      authorization: `Basic ${Buffer.from('tökén:').toString('base64')}`,
      'content-type': 'application/json',
    },
    body: '{"a":1}',
  })
  expect(prepared({})).toEqual({ method: 'POST', url: `${SERVER}/secret/{id}`, headers: {}, body: null })
})

test('toCurl does not contain the token', () => {
  expect(toCurl(prepared({ token: 'planted-token', values: { id: 'x' } }))).toBe(
    `curl -u "$TOKEN:" -X POST '${SERVER}/secret/x'`,
  )
  expect(toCurl(prepared({}, { ...VIEW, method: 'GET' }))).toBe(`curl '${SERVER}/secret/{id}'`)
})

test('toCurl quotes every value for the shell', () => {
  const hostile = `it's "$(echo ran)" \`echo ran\` \\ $HOME é\n;`
  const line = toCurl(prepared({ body: hostile, values: { id: 'x', 'mayfly-access': hostile } }))
  const seen = execFileSync('sh', ['-c', `curl() { for each in "$@"; do printf '%s\\0' "$each"; done; }; ${line}`], {
    encoding: 'utf8',
  })
  expect(seen.split('\0')).toEqual([
    `${SERVER}/secret/x`,
    '-H',
    `mayfly-access: ${hostile}`,
    '-H',
    'content-type: application/json',
    '-d',
    hostile,
    '',
  ])
})
