import { expect, test } from 'vitest'
import type { Storage } from '../../contracts/storage.js'
import { race } from './race.js'

export function instanceStateContract({ instanceState, settings }: Storage): void {
  test('get returns the value of set, and null for other names', async () => {
    expect(await instanceState.get('clock')).toBeNull()
    await instanceState.set('clock', 'zwölf ☃')
    await instanceState.set('instance_key', '')
    expect(await instanceState.get('clock')).toBe('zwölf ☃')
    expect(await instanceState.get('instance_key')).toBe('')
    expect(await instanceState.get('Clock')).toBeNull()
  })

  test('set replaces a value of 100 KiB, and keeps the others', async () => {
    await instanceState.set('one', '1')
    await instanceState.set('two', '2')
    await instanceState.set('two', 'x'.repeat(100 * 1024))
    expect(await instanceState.get('one')).toBe('1')
    expect(await instanceState.get('two')).toBe('x'.repeat(100 * 1024))
  })

  test('delete removes one name, also when it is not set', async () => {
    await instanceState.set('one', '1')
    await instanceState.set('two', '2')
    await instanceState.delete('one')
    await instanceState.delete('three')
    expect(await instanceState.get('one')).toBeNull()
    expect(await instanceState.get('two')).toBe('2')
  })

  test('of concurrent sets of one name, one value remains', async () => {
    await race(20, (index) => instanceState.set('clock', String(index)))
    expect(await instanceState.get('clock')).toMatch(/^1?\d$/)
  })

  test('settings and instance state have separate names', async () => {
    await instanceState.set('read_only', 'state')
    await settings.set({ read_only: 'true' })
    expect(await settings.getAll()).toEqual({ read_only: 'true' })
    expect(await instanceState.get('read_only')).toBe('state')
    await settings.set({ read_only: null })
    expect(await instanceState.get('read_only')).toBe('state')
  })
}
