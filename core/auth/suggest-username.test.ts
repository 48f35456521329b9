import { expect, test } from 'vitest'
import { Username } from '../shared/api/index.js'
import { suggestUsernames } from './suggest-username.js'

test.each([
  [['alice'], 'alice'],
  [['Zoë Müller'], 'zoe-muller'],
  [['Alice.Example@corp.example'], 'alice.example'],
  [['bob'], 'user-bob'],
  [['', 'bob.b@example.org'], 'bob.b'],
  [['Алиса', 'alisa@example.org'], 'alisa'],
  [['☃', '@'], 'user'],
  [[], 'user'],
  [['--x--'], 'user-x'],
  [['...anna.smith.'], 'anna.smith'],
  [['\0<script>alert(1)</script>'], 'script-alert-1-scrip'],
  [['a'.repeat(300)], 'a'.repeat(20)],
  [['ﬁnance'], 'finance'],
])('%j -> %s', (suggestions, wanted) => {
  expect(suggestUsernames(suggestions).next().value).toBe(wanted)
})

test('every suggestion is valid and new, and there are enough', () => {
  for (const suggestion of ['alice', 'bob', '', 'a'.repeat(300), `${'a'.repeat(19)}-b`]) {
    const names = [...suggestUsernames([suggestion])]
    expect(names.length).toBeGreaterThan(10)
    expect(new Set(names).size).toBe(names.length)
    for (const name of names) expect(Username.parse(name)).toBe(name)
  }
})

test('a suggestion of 200,000 separators takes less than 100 ms', () => {
  const before = process.cpuUsage()
  const [first] = suggestUsernames([`a${'-_'.repeat(100_000)}b`])
  const { user, system } = process.cpuUsage(before)
  expect(first).toBe('user-a')
  expect((user + system) / 1000).toBeLessThan(100)
})
