import { expect, test } from 'vitest'
import type { Storage } from '../../contracts/storage.js'

export function settingsContract({ settings }: Storage): void {
  test('getAll returns the settings that were set', async () => {
    expect(await settings.getAll()).toEqual({})
    await settings.set({ read_only: 'true', restrict_organization_email: 'bücher.example ☃' })
    expect(await settings.getAll()).toEqual({ read_only: 'true', restrict_organization_email: 'bücher.example ☃' })
  })

  test('set keeps other settings', async () => {
    await settings.set({ one: '1', two: '2' })
    await settings.set({ two: '', three: '3' })
    await settings.set({})
    expect(await settings.getAll()).toEqual({ one: '1', two: '', three: '3' })
  })

  test('set with null deletes', async () => {
    await settings.set({ one: '1', two: '2', three: '3' })
    await settings.set({ one: null, two: 'zwei ☃', four: null })
    expect(await settings.getAll()).toEqual({ two: 'zwei ☃', three: '3' })
  })

  test('setIf changes nothing unless the setting has the text, or is not set', async () => {
    expect(await settings.setIf({ name: 'version', value: '1' }, { version: '2', one: '☃' })).toBe(false)
    expect(await settings.getAll()).toEqual({})
    expect(await settings.setIf({ name: 'version', value: null }, { version: '1', one: '☃' })).toBe(true)
    expect(await settings.setIf({ name: 'version', value: null }, { version: '1', one: 'x' })).toBe(false)
    expect(await settings.setIf({ name: 'version', value: '2' }, { version: '3', one: 'x' })).toBe(false)
    expect(await settings.getAll()).toEqual({ version: '1', one: '☃' })
    expect(await settings.setIf({ name: 'version', value: '1' }, { version: '2', one: null, two: 'zwei ☃' })).toBe(true)
    expect(await settings.getAll()).toEqual({ version: '2', two: 'zwei ☃' })
  })

  test('of concurrent calls of setIf with the same condition, one returns true', async () => {
    for (const value of [null, '1', '2']) {
      const next = String(Number(value ?? 0) + 1)
      const results = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          settings.setIf({ name: 'version', value }, { version: next, winner: `${index} ☃` }),
        ),
      )
      expect(results.filter(Boolean)).toHaveLength(1)
      expect(await settings.getAll()).toEqual({ version: next, winner: `${results.indexOf(true)} ☃` })
    }
  })

  test('concurrent sets lose nothing', async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => settings.set({ [`name${index}`]: '☃', shared: `${index}` })),
    )
    expect(Object.keys(await settings.getAll())).toHaveLength(21)
  })
}
