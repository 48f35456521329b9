import { expect, test } from 'vitest'
import { describeLimits, type Schema, typeName } from './openapi-document.js'

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
  [{}, 'any'],
])('typeName of %j is %s', (schema, name) => {
  expect(typeName(schema)).toBe(name)
})
