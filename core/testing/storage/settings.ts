import { expect, test } from 'vitest'
import type { Current } from './current-storage.js'

export function settingsContract(current: Current): void {
  test('getAll returns the settings that were set', async () => {
    const { settings } = current()
    expect(await settings.getAll()).toEqual({})
    await settings.set({ read_only: 'true', restrict_organization_email: 'bücher.example ☃' })
    expect(await settings.getAll()).toEqual({ read_only: 'true', restrict_organization_email: 'bücher.example ☃' })
  })

  test('set keeps other settings', async () => {
    const { settings } = current()
    await settings.set({ one: '1', two: '2' })
    await settings.set({ two: '', three: '3' })
    await settings.set({})
    expect(await settings.getAll()).toEqual({ one: '1', two: '', three: '3' })
  })

  test('set with null deletes', async () => {
    const { settings } = current()
    await settings.set({ one: '1', two: '2', three: '3' })
    await settings.set({ one: null, two: 'zwei ☃', four: null })
    expect(await settings.getAll()).toEqual({ two: 'zwei ☃', three: '3' })
  })

  test('concurrent sets lose nothing', async () => {
    const { settings } = current()
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => settings.set({ [`name${index}`]: '☃', shared: `${index}` })),
    )
    expect(Object.keys(await settings.getAll())).toHaveLength(21)
  })
}
