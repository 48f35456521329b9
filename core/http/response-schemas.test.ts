import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import * as account from '../shared/api/account.js'
import * as admin from '../shared/api/admin.js'
import * as common from '../shared/api/common.js'
import * as device from '../shared/api/device.js'
import * as factors from '../shared/api/factors.js'
import * as files from '../shared/api/files.js'
import * as instance from '../shared/api/instance.js'
import * as ownSecrets from '../shared/api/own-secrets.js'
import * as policies from '../shared/api/policies.js'
import * as presets from '../shared/api/presets.js'
import * as receipts from '../shared/api/receipts.js'
import * as requests from '../shared/api/requests.js'
import * as secrets from '../shared/api/secrets.js'
import * as webhooks from '../shared/api/webhooks.js'
import { routes } from './routes/index.js'
import type { RouteConfig } from './routes/route.js'

const FOLDER = join(import.meta.dirname, '../shared/response-schemas')
/** One file each, so that a page loads the schemas of its own requests only. */
const MODULES = {
  account,
  admin,
  common,
  device,
  factors,
  files,
  instance,
  'own-secrets': ownSecrets,
  policies,
  presets,
  receipts,
  requests,
  secrets,
  webhooks,
}

/** Keywords that the check of clients does not need. */
const OMITTED = ['$schema', 'description', 'examples', 'format', 'propertyNames']

/** Converts a schema to the part of JSON Schema that clients check. */
function toJsonSchema(schema: z.ZodType) {
  return JSON.stringify(z.toJSONSchema(schema, { io: 'output' }), (key, value) => {
    if (isSchemaOfObject(value)) return withOptional(value)
    if (OMITTED.includes(key) || (key === 'additionalProperties' && value === false)) return undefined
    return Math.abs(value) === Number.MAX_SAFE_INTEGER ? undefined : value
  })
}

type ObjectSchema = { properties: object; required?: string[] }

const isSchemaOfObject = (value: unknown): value is ObjectSchema =>
  typeof value === 'object' && value !== null && 'properties' in value && 'type' in value && value.type === 'object'

/** See `optional` in check-json.ts. */
function withOptional({ required = [], ...schema }: ObjectSchema) {
  const optional = Object.keys(schema.properties).filter((name) => !required.includes(name))
  return optional.length === 0 ? schema : { ...schema, optional }
}

const toHeader = (
  file: string,
) => `/** Generated: \`npx vitest run --project fast core/http/response-schemas.test.ts -u\`. */
import type { z } from 'zod'
import type * as api from '../api/${file}.js'
import type { JsonSchemaOf } from '../check-json.js'
`

const toDeclaration = (name: string, schema: z.ZodType) => `export type ${name} = z.infer<typeof api.${name}>
export const ${name}: JsonSchemaOf<${name}> = ${toJsonSchema(schema)}
`

// Without a schema there, clients would use the fields of a route unchecked.
test('clients check the response of every route with its schema', async () => {
  const used = new Set(routes({} as RouteConfig).flatMap(({ response }) => response ?? []))
  used.add(common.ApiError)
  const isUsed = (entry: [string, unknown]): entry is [string, z.ZodType] => used.has(entry[1] as z.ZodType)
  for (const [file, module] of Object.entries(MODULES)) {
    const entries = Object.entries(module).filter(isUsed)
    const declarations = entries.map(([name, schema]) => toDeclaration(name, schema)).sort()
    await expect([toHeader(file), ...declarations].join('\n')).toMatchFileSnapshot(join(FOLDER, `${file}-responses.ts`))
    for (const [, schema] of entries) used.delete(schema)
  }
  expect([...used]).toEqual([])
})
