/** Code that is derived from the table of instance settings. web/locales.test.ts checks the texts of the admin form. */
import { expect, test } from 'vitest'
import { settingsGet, settingsSet } from '#cli/commands/settings/settings-commands'
import { openApiDocument } from '../http/openapi/document.js'
import { routes } from '../http/routes/index.js'
import type { RouteConfig } from '../http/routes/route.js'
import { defaultPublicSettings, INSTANCE_SETTINGS, SETTING_NAMES } from '../shared/instance-settings.js'
import { createSettings } from './create-settings.js'

const PUBLIC_NAMES = SETTING_NAMES.filter((name) => INSTANCE_SETTINGS[name].isPublic)
const FLAGS = SETTING_NAMES.filter((name) => INSTANCE_SETTINGS[name].type === 'boolean')
const ADMIN = { username: 'zoe', address: null }

function createService(now = () => 0) {
  const stored: Record<string, string> = {}
  const store = {
    getAll: async () => stored,
    set: async (values: Record<string, string | null>) => void Object.assign(stored, values),
    setIf: async () => false,
  }
  const service = createSettings({
    storage: { settings: store, users: { hasAdmin: async () => false } },
    audit: { note: async () => {} },
    canVerifyEmail: false,
    providers: () => [],
    definitions: [],
    onChange() {},
    now,
  })
  return { stored, service }
}

interface Schema {
  properties: Record<string, { type: string }>
}

/** The schema of a request body or of the 200 response. */
function schemaOf(path: string, method: string, part: 'requestBody' | 'response'): Schema {
  const document = openApiDocument(routes({} as RouteConfig), { publicUrl: 'https://example.org', version: '0' })
  type Body = { content: { 'application/json': { schema: Schema } } }
  const operation = document.paths[path]?.[method] as { requestBody: Body; responses: Record<string, Body> }
  const body = part === 'requestBody' ? operation.requestBody : (operation.responses['200'] as Body)
  return body.content['application/json'].schema
}

test('an empty store has the default of every setting', async () => {
  const { usersDisabledAt, secondFactorSince, requiresVerifiedEmail, creationDeciders, needsSetup, ...others } =
    await createService().service.current()
  const { policies, presets, providers, ...settings } = others
  expect(settings).toEqual(Object.fromEntries(SETTING_NAMES.map((name) => [name, INSTANCE_SETTINGS[name].default])))
  expect(presets).toEqual([])
  expect(usersDisabledAt).toBe(0)
  expect(secondFactorSince).toBe(0)
  expect(creationDeciders).toEqual([])
  expect(requiresVerifiedEmail).toBe(false)
  expect(needsSetup).toBe(true)
  expect([policies, providers]).toEqual([{}, []])
})

test.each(FLAGS)('%s is stored, and read again by another process', async (name) => {
  const { stored, service } = createService()
  const changed = !INSTANCE_SETTINGS[name].default
  expect(await service.update({ [name]: changed }, ADMIN)).toHaveProperty(name, changed)
  expect(stored).toHaveProperty(name, String(changed))
  const other = createService()
  Object.assign(other.stored, stored)
  expect(await other.service.current()).toHaveProperty(name, changed)
})

test('the grace of a second factor begins when the policy covers more accounts', async () => {
  let now = 0
  const { stored, service } = createService(() => now)
  const change = async (second_factor: 'off' | 'optional' | 'administrators' | 'everyone') => {
    now += 1000
    await service.update({ second_factor }, ADMIN)
    return (await service.current()).secondFactorSince
  }
  expect(await change('off')).toBe(0)
  expect(await change('optional')).toBe(0)
  expect(await change('administrators')).toBe(3000)
  expect(await change('administrators')).toBe(3000)
  expect(await change('everyone')).toBe(5000)
  expect(await change('administrators')).toBe(5000)
  expect(await change('off')).toBe(5000)
  expect(await change('everyone')).toBe(8000)
  expect(stored).toMatchObject({ second_factor: 'everyone', second_factor_since: '8000' })
})

test('a stored choice that this version does not know counts as the strictest one', async () => {
  const { stored, service } = createService()
  stored.who_can_create = 'groups'
  expect(await service.current()).toMatchObject({ who_can_create: 'admins' })
})

test('the OpenAPI document lists every setting for administrators, and the public ones for everyone', () => {
  for (const schema of [
    schemaOf('/admin/settings', 'get', 'response'),
    schemaOf('/admin/settings', 'put', 'requestBody'),
  ]) {
    expect(Object.keys(schema.properties)).toEqual(SETTING_NAMES)
    for (const name of FLAGS) expect(schema.properties[name]).toMatchObject({ type: 'boolean' })
  }
  const listed = Object.keys(schemaOf('/settings', 'get', 'response').properties)
  expect(listed.filter((name) => name in INSTANCE_SETTINGS)).toEqual(PUBLIC_NAMES)
})

test('the page starts with the defaults of the public settings', () => {
  expect(Object.keys(defaultPublicSettings())).toEqual(PUBLIC_NAMES)
})

test('the CLI completes every setting', () => {
  expect(settingsGet.argument?.[2]).toEqual(SETTING_NAMES)
  const assigned = settingsSet.argument?.[2]?.map((assignment) => assignment.split('=')[0])
  expect([...new Set(assigned)]).toEqual(SETTING_NAMES)
})
