import { expect, test } from 'vitest'
import { CHAIN_START, chainEntries, verifyChain } from '../../audit/audit-chain.js'
import type { AuditEntry } from '../../contracts/audit.js'
import type { Storage } from '../../contracts/storage.js'
import { anAuditEntry, MINUTE, T0 } from '../lib/fixtures.js'
import { race } from './race.js'

const ALL = { skip: 0, take: 1000 }

export function auditContract(storage: Storage): void {
  const { audit } = storage

  async function appended(...entries: Partial<AuditEntry>[]): Promise<AuditEntry[]> {
    const complete = entries.map((each) => anAuditEntry(each))
    await audit.append(complete)
    return complete
  }

  test('list returns every field of append', async () => {
    expect(await audit.list({}, ALL)).toEqual([])
    const nothing = { actor: null, subject: null, address: null, detail: {} }
    const long = {
      actor: '(shell)',
      subject: '☃'.repeat(255),
      action: 'a'.repeat(64),
      detail: { why: '🗝'.repeat(500) },
    }
    const [one, two, three] = await appended({}, { at: T0 - 1, ...nothing }, { at: T0 - 2, ...long })
    expect(await audit.list({}, ALL)).toEqual([one, two, three])
    await audit.append([])
    expect(await audit.list({}, ALL)).toHaveLength(3)
  })

  test('list is ordered newest first', async () => {
    const [one, two, three] = await appended({ at: T0 + 1 }, { at: T0 + 3 }, { at: T0 + 2 })
    const [last] = await appended({ at: T0 })
    expect(await audit.list({}, ALL)).toEqual([two, three, one, last])
    expect(await audit.list({}, { skip: 1, take: 2 })).toEqual([three, one])
    expect(await audit.list({}, { skip: 4, take: 2 })).toEqual([])
  })

  test('pages of entries with the same time have no gaps and no duplicates', async () => {
    const made = await appended(...Array.from({ length: 7 }, () => ({})))
    const pages = await Promise.all([0, 2, 4, 6].map((skip) => audit.list({}, { skip, take: 2 })))
    expect(pages.map((page) => page.length)).toEqual([2, 2, 2, 1])
    const ids = (entries: AuditEntry[]) => entries.map(({ id }) => id).sort()
    expect(ids(pages.flat())).toEqual(ids(made))
  })

  test('list combines all filters', async () => {
    const [one, two, three] = (await appended(
      { action: 'user.created', actor: 'zoe', subject: 'anna', at: T0 },
      { action: 'user.created', actor: 'otto', subject: 'zoe', at: T0 + 1 },
      { action: 'auth.sign_in', actor: 'zoe', subject: null, at: T0 + 2 },
      { action: 'auth.sign_in', actor: null, subject: 'anna', at: T0 + 3 },
    )) as [AuditEntry, AuditEntry, AuditEntry]
    expect(await audit.list({ action: 'user.created' }, ALL)).toEqual([two, one])
    expect(await audit.list({ actor: 'zoe' }, ALL)).toEqual([three, one])
    expect(await audit.list({ subject: 'zoe' }, ALL)).toEqual([two])
    expect(await audit.list({ action: 'user.created', actor: 'zoe', subject: 'anna' }, ALL)).toEqual([one])
    expect(await audit.list({ action: 'user.created', actor: 'anna' }, ALL)).toEqual([])
    expect(await audit.list({ action: 'user.create_' }, ALL)).toEqual([])
    expect(await audit.list({ action: 'user.created' }, { skip: 1, take: 1 })).toEqual([one])
  })

  test('list includes since and excludes until', async () => {
    const made = await appended(...[0, 1, 2, 3].map((minute) => ({ at: T0 + minute * MINUTE })))
    const [first, second, third, fourth] = made
    expect(await audit.list({ since: T0 + MINUTE }, ALL)).toEqual([fourth, third, second])
    expect(await audit.list({ until: T0 + MINUTE }, ALL)).toEqual([first])
    expect(await audit.list({ since: T0 + MINUTE, until: T0 + 3 * MINUTE }, ALL)).toEqual([third, second])
    expect(await audit.list({ since: T0 + MINUTE, until: T0 + MINUTE }, ALL)).toEqual([])
  })

  test('V16.4.2: append stores all entries or none and refuses an existing id', async () => {
    const [kept] = (await appended({})) as [AuditEntry]
    const many = Array.from({ length: 300 }, () => anAuditEntry())
    const refused = audit.append([...many, anAuditEntry({ id: kept.id, actor: 'somebody else' })])
    await expect(refused).rejects.toMatchObject({ code: 'storage.conflict' })
    expect(await audit.list({}, ALL)).toEqual([kept])
  })

  test('concurrent appends of many entries lose none', async () => {
    await race(10, () => appended(...Array.from({ length: 60 }, () => ({}))))
    expect(await audit.list({}, ALL)).toHaveLength(600)
  })

  test('deleteBefore deletes up to limit older entries', async () => {
    const [, , , fourth, fifth] = await appended(...[0, 1, 2, 3, 4].map((minute) => ({ at: T0 + minute * MINUTE })))
    expect(await audit.deleteBefore(T0, 10)).toBe(0)
    expect(await audit.deleteBefore(T0 + 3 * MINUTE, 2)).toBe(2)
    expect(await audit.deleteBefore(T0 + 3 * MINUTE, 2)).toBe(1)
    expect(await audit.deleteBefore(T0 + 3 * MINUTE, 2)).toBe(0)
    expect(await audit.list({}, ALL)).toEqual([fifth, fourth])
    const swept = await race(4, () => audit.deleteBefore(T0 + 9 * MINUTE, 10))
    expect(swept.reduce((sum, each) => sum + each)).toBe(2)
  })

  test('V16.4.2: entries are a hash chain in the order of append', async () => {
    expect(await audit.chainState()).toEqual({ end: null, entries: 0 })
    const made = [...(await appended({ at: T0 + 1 }, { at: T0 + 9 })), ...(await appended({ at: T0 }))]
    const chain = await audit.readChain(0, 100)
    expect(chain).toEqual(chainEntries(CHAIN_START, made))
    expect(await audit.readChain(1, 1)).toEqual([chain[1]])
    expect(await audit.readChain(3, 1)).toEqual([])
    const end = { position: 3, hash: chain[2]?.hash }
    expect(await audit.chainState()).toEqual({ end, entries: 3 })
    expect(await verifyChain(audit, null)).toMatchObject({ problems: [], last: end })
  })

  test('V16.4.2: concurrent appends make one chain', async () => {
    await race(12, () => appended({}, {}, {}))
    const report = await verifyChain(audit, null)
    expect(report).toMatchObject({ problems: [], entries: 36, first: { position: 1 }, last: { position: 36 } })
  })

  test('V16.4.2: deleteBefore deletes from the start of the chain, which continues at its end', async () => {
    const ats = [T0, T0 + MINUTE, T0 + 9 * MINUTE, T0 + 2 * MINUTE]
    await appended(...ats.map((at) => ({ at })))
    // The fourth entry is as old as the second, but comes after the third.
    expect(await audit.deleteBefore(T0 + 3 * MINUTE, 10)).toBe(2)
    expect(await verifyChain(audit, null)).toMatchObject({ problems: [], entries: 2, first: { position: 3 } })
    expect(await audit.deleteBefore(T0 + 10 * MINUTE, 10)).toBe(2)
    expect(await audit.chainState()).toMatchObject({ end: { position: 4 }, entries: 0 })
    await appended({})
    expect(await verifyChain(audit, null)).toMatchObject({ problems: [], first: { position: 5 } })
  })

  test('a refused append does not change the chain', async () => {
    const [one] = (await appended({})) as [AuditEntry]
    await expect(audit.append([anAuditEntry(), one])).rejects.toMatchObject({ code: 'storage.conflict' })
    await appended({})
    expect(await verifyChain(audit, null)).toMatchObject({ problems: [], entries: 2, last: { position: 2 } })
  })

  test('stored entries are independent of the objects of the caller', async () => {
    const [entry] = (await appended({})) as [AuditEntry]
    const kept = structuredClone(entry)
    const found = (await audit.list({}, ALL))[0]
    for (const each of [entry, found]) Object.assign(each?.detail ?? {}, { to: 'other' })
    expect(await audit.list({}, ALL)).toEqual([kept])
  })
}
