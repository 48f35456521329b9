/**
 * Completion scripts and man pages, generated from the commands. test/e2e/cli/reference.test.ts uses them in shells and
 * in man.
 */

import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run } from '#test/run-cli'
import { CATALOG } from '../program.js'
import { GLOBAL_FLAGS, listEntries } from './command-table.js'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mayfly-reference-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

test('completion scripts for zsh, fish and PowerShell contain every command and flag', async () => {
  for (const name of ['bash', 'zsh', 'fish', 'powershell']) {
    const { stdout, code } = await run(['completion', name])
    expect(code).toBe(0)
    for (const { path, flags } of listEntries(CATALOG)) {
      expect(stdout.toString(), name).toContain(path.split(' ').at(-1))
      for (const flag of flags.flatMap(({ names }) => names)) {
        expect(stdout.toString(), name).toContain(name === 'fish' ? flag.replace(/^--?/, '') : flag)
      }
    }
  }
})

test('completion exits with 2 for an unknown shell', async () => {
  expect((await run(['completion'])).code).toBe(2)
  expect((await run(['completion', 'tcsh'])).code).toBe(2)
})

describe('man pages', () => {
  test('every command has a man page, and --dir writes all', async () => {
    const { stdout, code } = await run(['man', '--dir', 'man'], { cwd: folder })
    expect(code).toBe(0)
    const names = listEntries(CATALOG).flatMap(({ path, command }) =>
      command || path === '' ? `mayfly ${path}`.trim() : [],
    )
    expect(readdirSync(join(folder, 'man')).sort()).toEqual(
      names.map((name) => `${name.replaceAll(' ', '-')}.1`).sort(),
    )
    expect(stdout.toString().trim().split('\n')).toHaveLength(names.length)
    const { stdout: page } = await run(['man', 'secret', 'create'])
    for (const flag of [
      ...GLOBAL_FLAGS,
      ...(listEntries(CATALOG).find(({ path }) => path === 'secret create')?.flags ?? []),
    ]) {
      expect(page.toString()).toContain((flag.names.at(-1) as string).replaceAll('-', '\\-'))
    }
    expect(page.toString()).toContain('.SH "EXIT STATUS"')
    expect((await run(['man', 'secret'])).code).toBe(2)
    expect((await run(['man', '--dir', '/dev/null/x'])).code).toBe(2)
  })
})

test('a flag takes a value in all commands or in none', () => {
  const flags = [...listEntries(CATALOG).flatMap(({ flags }) => flags), ...GLOBAL_FLAGS]
  const valued = new Set(flags.filter(({ completes }) => completes !== 'none').flatMap(({ names }) => names))
  const bare = flags.filter(({ completes }) => completes === 'none').flatMap(({ names }) => names)
  expect(bare.filter((name) => valued.has(name))).toEqual([])
})
