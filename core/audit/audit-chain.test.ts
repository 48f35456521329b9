import { expect, test } from 'vitest'
import { anAuditEntry } from '#core/testing/lib/fixtures'
import type { AuditStore, ChainedEntry, ChainPoint } from '../contracts/audit.js'
import { CHAIN_START, chainEntries, verifyChain } from './audit-chain.js'

const COUNT = 8
/** The chain after `change`, in a store that knows its end and the number of entries. */
function storeOf(change: (entries: ChainedEntry[]) => void, end?: ChainPoint) {
  const entries = chainEntries(
    CHAIN_START,
    Array.from({ length: COUNT }, () => anAuditEntry()),
  )
  const last = entries.at(-1) as ChainPoint
  change(entries)
  const store: Pick<AuditStore, 'readChain' | 'chainState'> = {
    readChain: async (after, limit) => entries.filter(({ position }) => position > after).slice(0, limit),
    chainState: async () => ({ end: end ?? last, entries: entries.length }),
  }
  return { store, entries }
}
const problemsOf = async (change: (entries: ChainedEntry[]) => void) =>
  (await verifyChain(storeOf(change).store, null)).problems

test('an unchanged chain has no problems', async () => {
  expect(await problemsOf(() => {})).toEqual([])
})

test.each(['id', 'action', 'actor', 'subject', 'address'] as const)('V16.4.2: a changed %s is found', async (field) => {
  expect(await problemsOf((entries) => void Object.assign(entries[3] as object, { [field]: 'other ☃' }))).toEqual([
    { position: 4, problem: 'changed' },
  ])
})

test('a changed time and a changed detail are found', async () => {
  for (const different of [{ at: 1 }, { detail: { count: 3 } }])
    expect(await problemsOf((entries) => void Object.assign(entries[3] as object, different))).toEqual([
      { position: 4, problem: 'changed' },
    ])
})

test('an entry with a new hash breaks the link of the next one', async () => {
  const rewrite = (entries: ChainedEntry[]) => {
    const { position, hash } = entries[2] as ChainedEntry
    entries.splice(3, 1, ...chainEntries({ position, hash }, [anAuditEntry({ actor: 'mallory' })]))
  }
  expect(await problemsOf(rewrite)).toEqual([{ position: 5, problem: 'changed' }])
})

test('V16.4.2: entries that are missing in the middle or at the end, and repeated positions, are found', async () => {
  expect(await problemsOf((entries) => void entries.splice(3, 2))).toEqual([{ position: 4, problem: 'missing' }])
  expect(await problemsOf((entries) => void entries.splice(6))).toEqual([{ position: 7, problem: 'missing' }])
  expect(await problemsOf((entries) => void entries.splice(0))).toEqual([{ position: 1, problem: 'missing' }])
  const repeat = (entries: ChainedEntry[]) => void entries.splice(3, 0, entries[3] as ChainedEntry)
  expect(await problemsOf(repeat)).toContainEqual({ position: 4, problem: 'repeated' })
})

test('the order of details does not matter', async () => {
  const reorder = (entries: ChainedEntry[]) => {
    const entry = entries[3] as ChainedEntry
    entry.detail = Object.fromEntries(Object.entries(entry.detail).reverse())
  }
  expect(await problemsOf(reorder)).toEqual([])
})

test('a noted point is found, changed, missing or older than the chain', async () => {
  const { store, entries } = storeOf((entries) => void entries.splice(0, 2))
  const noted = async (point: ChainPoint) => (await verifyChain(store, point)).noted
  const [first] = entries as [ChainedEntry]
  expect(await noted(first)).toBe('found')
  expect(await noted({ ...first, hash: '0'.repeat(64) })).toBe('changed')
  expect(await noted({ ...first, position: 99 })).toBe('missing')
  expect(await noted({ ...first, position: 1 })).toBe('older')
})

test('V16.4.2: a chain that was rewritten from its start is only found by a noted point', async () => {
  const before = storeOf(() => {}).entries.at(-1) as ChainedEntry
  const { store } = storeOf(() => {})
  expect(await verifyChain(store, before)).toMatchObject({ problems: [], noted: 'changed' })
})
