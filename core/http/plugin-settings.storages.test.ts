/** Instance settings of plugins over HTTP: read and changed by administrators, and read by their plugin. */
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { onOneStorage } from '#test/for-each-storage'
import { definePlugin, type Plugin } from '../plugins/plugin.js'
import type { PluginApp } from '../plugins/plugin-app.js'

let running: PluginApp | null = null

const notice = definePlugin({
  contract: 1,
  name: 'notice-board',
  options: z.object({}),
  settings: z.object({
    text: z.string().max(20).default('').meta({ title: 'Notice ☃', description: 'Shown to everyone.' }),
    level: z.enum(['info', 'warning']).default('info'),
    days: z.int().min(1).max(30).default(7),
    is_shown: z.boolean().default(false),
  }),
  setup: () => ({
    ready(app) {
      running = app
    },
  }),
}) as Plugin

const PATH = '/admin/settings/plugins'
const DEFAULTS = {
  'notice-board.text': '',
  'notice-board.level': 'info',
  'notice-board.days': 7,
  'notice-board.is_shown': false,
}

onOneStorage(
  (site) => {
    const asAdmin = async () => site.app.as(await site.app.signUp({ role: 'admin' }))
    const valuesOf = (body: { name: string; value: unknown }[]) =>
      Object.fromEntries(body.map(({ name, value }) => [name, value]))
    const readValues = async (headers: Record<string, string>) =>
      valuesOf((await site.call('GET', PATH, headers).expect(200)).body)

    test('administrators list the settings of plugins with their types', async () => {
      const admin = await asAdmin()
      const { body } = await site.call('GET', PATH, admin).expect(200)
      expect(valuesOf(body)).toEqual(DEFAULTS)
      expect(body[0]).toEqual({
        name: 'notice-board.text',
        plugin: 'notice-board',
        type: 'text',
        value: '',
        default: '',
        label: 'Notice ☃',
        hint: 'Shown to everyone.',
        choices: [],
        min: null,
        max: null,
      })
      expect(body[1]).toMatchObject({ type: 'choice', choices: ['info', 'warning'] })
      expect(body[2]).toMatchObject({ type: 'number', min: 1, max: 30 })
      const user = await site.app.as(await site.app.signUp())
      await site.call('GET', PATH, user).expect(403)
      await site.call('PUT', PATH, user, {}).expect(403)
      await site.call('GET', PATH).expect(401)
      expect((await site.call('GET', '/admin/settings', admin)).body).not.toHaveProperty(['notice-board.text'])
    })

    test('a changed setting is stored, audited, and read by the plugin', async () => {
      const admin = await asAdmin()
      const changes = { 'notice-board.text': 'Grüße ☃', 'notice-board.days': 9, 'notice-board.is_shown': 'true' }
      const { body } = await site.call('PUT', PATH, admin, changes).expect(200)
      const after = { ...DEFAULTS, ...changes, 'notice-board.is_shown': true }
      expect(valuesOf(body)).toEqual(after)
      expect(await readValues(admin)).toEqual(after)
      expect(await running?.settings.get('notice-board.text')).toBe('Grüße ☃')
      expect(await running?.settings.get('notice-board.is_shown')).toBe(true)
      expect(await running?.settings.get('read_only')).toBe(false)
      await expect(running?.settings.get('notice-board.color')).rejects.toThrow('notice-board.color')
      await site.call('PUT', PATH, admin, changes).expect(200)
      await site.app.audit.flush()
      const entries = await site.app.storage.audit.list({ action: 'settings.changed' }, { skip: 0, take: 9 })
      expect(entries.map(({ subject, detail }) => [subject, detail.from, detail.to]).sort()).toEqual([
        ['notice-board.days', 7, 9],
        ['notice-board.is_shown', false, true],
        ['notice-board.text', '', 'Grüße ☃'],
      ])
    })

    test.each([
      ['notice-board.text', 'x'.repeat(21)],
      ['notice-board.text', 'a\nb'],
      ['notice-board.level', 'error'],
      ['notice-board.days', 31],
      ['notice-board.days', 1.5],
      ['notice-board.is_shown', 1],
      ['notice-board.is_shown', null],
      ['notice-board.color', 'red'],
      ['read_only', true],
      ['constructor', true],
    ])('%s: %j is refused by name, and nothing is changed', async (name, value) => {
      const admin = { ...(await asAdmin()), 'Content-Type': 'application/json' }
      const changes = `{"notice-board.days":3,${JSON.stringify(name)}:${JSON.stringify(value)}}`
      const { body } = await site.call('PUT', PATH, admin, changes).expect(400)
      expect(body).toMatchObject({ code: 'request.invalid', field: name })
      expect(await readValues(admin)).toEqual(DEFAULTS)
    })

    describe('the stored values of a plugin', () => {
      test('are unread while the plugin is not configured, and used again afterwards', async () => {
        const admin = await site.app.signUp({ role: 'admin' })
        const headers = await site.app.as(admin)
        await site.call('PUT', PATH, headers, { 'notice-board.days': 9 }).expect(200)
        const stored = await site.app.storage.settings.getAll()
        await site.app.storage.settings.set({ ...stored, 'notice-board.level': 'of another version' })
        expect(await readValues(headers)).toEqual({ ...DEFAULTS, 'notice-board.days': 9 })
        await site.app.storage.settings.set({ 'gone.days': '☃' })
        expect(await readValues(headers)).toEqual({ ...DEFAULTS, 'notice-board.days': 9 })
        await site.call('PUT', PATH, headers, { 'gone.days': 1 }).expect(400)
        await site.call('PUT', '/admin/settings', headers, { read_only: true }).expect(200)
        expect(await site.app.storage.settings.getAll()).toMatchObject({ 'gone.days': '☃', 'notice-board.days': '9' })
      })
    })
  },
  { app: { plugins: [notice] } },
)
