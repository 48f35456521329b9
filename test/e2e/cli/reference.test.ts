/** Completion scripts in the shells that they are for, and man pages in man. */

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { needs } from '#test/needs'
import { run } from '#test/run-cli'
import { shell, terminal } from '#test/spawn-cli'

let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mayfly-reference-'))
  for (const name of ['bash', 'zsh', 'fish', 'powershell']) {
    writeFileSync(join(folder, name), (await run(['completion', name])).stdout)
  }
  writeFileSync(join(folder, 'a file'), '')
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Typed words, and the expected completions: all, some, or files. */
const CASES: [typed: string, offered: RegExp][] = [
  ['mayfly secret ', /^burn create export list read\b/],
  ['mayfly secr', /^secret$/],
  ['mayfly --json secret cr', /^create$/],
  ['mayfly secret create --allow', /^--allow-http --allow-ip$/],
  ['mayfly --quiet secret read --out', /^--out-dir --output$/],
  ['mayfly secret create --ttl secret --sp', /^--split$/],
  ['mayfly secret create ', /^$/],
  ['mayfly version --color ', /^always auto never$/],
  ['mayfly version --color=ne', /never$/],
  ['mayfly migrate ', /^status up$/],
  ['mayfly completion f', /^fish$/],
  ['mayfly secret create --file a', /^a( |\\ )file$/],
  ['mayfly secret create --ttl ', /^$/],
  ['mayfly settings get read', /^read_only$/],
  ['mayfly settings set read', /^read_only=false read_only=true$/],
  ['mayfly settings set read_only=t', /true$/],
  ['mayfly settings set read_only=true who_can_create=', /admins \S*anyone \S*users$/],
  ['mayfly settings set restrict', /^restrict_organization_email=$/],
  ['mayfly user role anna ', /^admin user$/],
  ['mayfly help secr', /^secret$/],
  ['mayfly help secret cr', /^create$/],
  ['mayfly man settings ', /^explain get list policy preset set$/],
]

const joined = (lines: string) =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t')[0])
    .sort()
    .join(' ')

test.each(CASES)('bash: %s', async (typed, offered) => {
  const words = typed.split(' ').flatMap((word) => (word.includes('=') ? word.split(/(=)/) : [word]))
  const line = `source ./bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _mayfly; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout } = spawnSync('bash', ['-c', line, 'bash', ...words], { cwd: folder, encoding: 'utf8' })
  expect(joined(stdout)).toMatch(offered)
})

test.each(CASES)('fish: %s', needs('fish'), async (typed, offered) => {
  const line = `source ./fish; complete -C "$argv[1]"`
  const env = { PATH: process.env.PATH, HOME: folder }
  const { stdout, stderr } = spawnSync('fish', ['-c', line, typed], { cwd: folder, encoding: 'utf8', env })
  expect(stderr).toBe('')
  expect(joined(stdout)).toMatch(offered)
})

test('zsh completes words, flags, values and files', needs('zsh', 'script'), async () => {
  const tty = terminal('PS1="ready> " zsh -f', { cwd: folder, env: { HOME: folder } })
  await tty.sees(/ready> /)
  tty.types('autoload -Uz compinit; compinit -u -D; source ./zsh; mayfly() { print "got=$*=" }\r')
  await tty.sees(/ready> /)
  const finished: [typed: string, got: string][] = [
    ['mayfly secr\tcr\t--allow-i\tx', 'secret create --allow-ip x'],
    ['mayfly --quiet secret rea\t--out-d\t', '--quiet secret read --out-dir'],
    ['mayfly version --color=ne\t', 'version --color=never'],
    ['mayfly version --color ne\t', 'version --color never'],
    ['mayfly secret create --ttl secret --tit\tx', 'secret create --ttl secret --title x'],
    ['mayfly migrate sta\t', 'migrate status'],
    ['mayfly secret create --file a\t', 'secret create --file a file'],
  ]
  for (const [typed, got] of finished) {
    tty.types(`${typed}\r`)
    await tty.sees(new RegExp(`got=${got} ?=`))
  }
  tty.types('exit\r')
  await tty.ended
})

test('the bash script passes shellcheck', needs('shellcheck'), async () => {
  expect((await shell('mayfly completion bash | shellcheck -s bash -')).stdout.toString()).toBe('')
})

describe('man pages', () => {
  test('groff reports no warnings', needs('groff'), async () => {
    await run(['man', '--dir', 'groff'], { cwd: folder })
    const { stdout, stderr } = await shell('groff -man -ww -b -z -Tutf8 groff/*.1 2>&1', { cwd: folder })
    expect(`${stdout}${stderr}`).toBe('')
  })

  test('man reports no warnings and shows the pages', needs('man'), async () => {
    await run(['man', '--dir', 'shown'], { cwd: folder })
    // The page of the program and one of a command; groff reads all of them.
    for (const name of ['mayfly', 'mayfly-secret-create']) {
      const line = `LC_ALL=C.UTF-8 MANWIDTH=100 man --warnings -E UTF-8 -l shown/${name}.1`
      const { stdout, stderr } = await shell(line, { cwd: folder })
      expect(stderr).toBe('')
      expect(stdout.toString()).toMatch(/^NAME$/m)
    }
    const { stdout } = await shell('LC_ALL=C.UTF-8 MANWIDTH=200 man -l shown/mayfly-secret-create.1', { cwd: folder })
    expect(stdout.toString().replaceAll('\b', '')).toContain('LINK=$(mayfly secret create < .env)')
  })
})
