/**
 * SEC-35. Every regular expression of the product takes linear time: a long text of a sender or a caller must not block
 * the server or the page of a reader. Each is tried on repeated characters that it mentions, followed by a character
 * that it does not expect.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { filesEnding, nodesOf, parse, ROOT } from '#test/source-files'

const TESTS = /\.test\.tsx?$|^core\/testing\/|^test\/|^bench\/|^scripts\//
/**
 * An exponential expression takes 300 ms for the first length, a cubic one seconds for the second, and a quadratic one
 * 350 ms for the last. A linear one takes less than a millisecond for any of them.
 */
const LENGTHS = [26, 3_000, 20_000]
const MAX_MS = 100
const PUMPS = ['a', '0', ' ', '\t', '\n', '.', '-', '/', '<', '%20', 'a.', 'a@', ',']
const ENDS = ['', '\0!']

/** Files whose expressions read no text of a sender, a caller or an account. Each with the reason. */
const TRUSTED: Record<string, string> = {
  'cli/client/credentials.ts': 'the user of the command gives the address',
  'cli/commands/doctor/verify-web-app.ts': 'the user of the command gives the address',
  'cli/commands/request/create-request.ts': 'the user of the command gives the address',
  'cli/commands/maintenance/show-audit.ts': 'the user of the command gives the time',
  'cli/reference/command-table.ts': 'the texts are constants',
  'config/schema.ts': 'the operator gives the address',
  'core/auth/suggest-username.ts': 'suggestions are cut to 255 characters',
  'core/http/openapi/document.ts': 'the paths are constants',
  'core/lib/password-hash.ts': 'the text has 43 characters',
  'core/shared/client/send-request.ts': 'the user gives the address',
  'core/shared/link.ts': 'the reader pastes the link',
  'core/shared/site.ts': 'the operator gives the address',
  'web/features/admin/settings/email-domains.ts': 'an administrator types the domain',
}

interface Found {
  place: string
  regex: RegExp
}

/** A line that may contain an expression with repetition. Without repetition the time is bounded by its length. */
const CANDIDATE = /\/(?![*/]).*(?:[*+]|,\}).*\//

function regexesOf(path: string): Found[] {
  const text = readFileSync(join(ROOT, path), 'utf8')
  // Parsing takes longer than all attempts.
  if (!CANDIDATE.test(text)) return []
  const file = parse(path, text)
  return nodesOf(file).flatMap((node) => {
    if (!ts.isRegularExpressionLiteral(node)) return []
    const [, source = '', flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(node.text) ?? []
    const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1
    return [
      { place: `${path}:${line} ${node.text}`, regex: new RegExp(source, flags.replace('g', '').replace('y', '')) },
    ]
  })
}

/** Characters that stand in the expression. */
const ownPumps = ({ source }: RegExp): string[] => {
  const characters = [...new Set(source.replace(/\\[a-zA-Z]/g, ''))].filter(
    (character) => !/[\\^$()|?*+{}]/.test(character),
  )
  return characters.slice(0, 8)
}

/** CPU time in ms of the slowest attempt, and its text. Stops at the first one over the limit. */
function slowestAttempt(regex: RegExp): { ms: number; pump: string } {
  let slowest = { ms: 0, pump: '' }
  for (const pump of new Set([...PUMPS, ...ownPumps(regex)])) {
    for (const text of textsOf(pump)) {
      const before = process.cpuUsage()
      regex.test(text)
      const { user, system } = process.cpuUsage(before)
      const ms = (user + system) / 1000
      if (ms > slowest.ms) slowest = { ms, pump }
      if (ms > MAX_MS) return slowest
    }
  }
  return slowest
}

const texts = new Map<string, string[]>()

/** The repeated characters with each end. An expression that skips the first character must not be slow either. */
function textsOf(pump: string): string[] {
  const known = texts.get(pump)
  if (known) return known
  const made = LENGTHS.flatMap((length) => {
    const repeated = pump.repeat(Math.ceil(length / pump.length))
    return ENDS.flatMap((end) => [`${repeated}${end}`, `x${repeated}${end}`])
  })
  texts.set(pump, made)
  return made
}

const product = filesEnding('.ts', '.tsx').filter((path) => !TESTS.test(path) && !(path in TRUSTED))
const found = product.flatMap(regexesOf).filter(({ regex }) => /[*+]|,\}/.test(regex.source))

test('SEC-35: every regular expression of the product takes linear time', () => {
  const slow = found.flatMap(({ place, regex }) => {
    const { ms, pump } = slowestAttempt(regex)
    return ms > MAX_MS ? [`${place} with ${JSON.stringify(pump)}`] : []
  })
  expect(slow).toEqual([])
  expect(found.length).toBeGreaterThan(70)
})

test('every exception exists', () => {
  expect(Object.keys(TRUSTED).filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})

test.each([/[. ]+$/, /\s*\n\s*/, /^(a+)+$/])('%s, which takes longer, is found', (regex) => {
  expect(slowestAttempt(regex).ms).toBeGreaterThan(MAX_MS)
})
