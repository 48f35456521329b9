/** Compares docs/install.md with the files that it describes. Other tests run its package and systemd parts. */

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { ADMIN_VARIABLES } from '#cli/commands/setup/first-admin'
import { needs } from '#test/needs'
import { variables } from '#test/setting-variables'
import { ROOT } from '#test/source-files'

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const page = read('docs/install.md')
const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)

test('install.md creates the password files that compose reads', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-install-'))
  const [, code = ''] = /<!-- passwords -->\n```sh\n([\s\S]*?)^```$/m.exec(page) ?? []
  const env = { PATH: process.env.PATH, S3_SECRET: 'sécret' }
  const { status, stderr } = spawnSync('bash', ['-euc', `umask 077; ${code}`], { cwd: folder, env, encoding: 'utf8' })
  expect(status, stderr).toBe(0)
  const { services, secrets } = parse(read('docs/install/compose.postgres.yaml')) as {
    services: { postgres: { environment: Record<string, string> } }
    secrets: Record<string, { file: string }>
  }
  const files = Object.values(secrets).map(({ file }) => join(folder, file))
  expect(files.map((file) => statSync(file).mode & 0o777)).toEqual(files.map(() => 0o644))
  expect(statSync(join(folder, 'secrets')).mode & 0o777).toBe(0o700)
  const url = new URL(readFileSync(join(folder, 'secrets/database-url'), 'utf8'))
  expect(url.password).toBe(readFileSync(join(folder, 'secrets/postgres-password'), 'utf8'))
  expect(url).toMatchObject({ hostname: 'postgres', username: services.postgres.environment.POSTGRES_USER })
  expect(url.pathname.slice(1)).toBe(services.postgres.environment.POSTGRES_DB)
  rmSync(folder, { recursive: true })
})

test('pages for newcomers install the packages of a clone before they build it', () => {
  const pages = ['docs/install.md', 'docs/ci.md', 'docs/quick-start.md', 'plugins/create-plugin/README.md'].map(read)
  const commands = pages.flatMap((text) => text.match(/(npm ci && )?npm (run build|pack)\b/g) ?? [])
  expect(commands.filter((command) => !command.startsWith('npm ci'))).toEqual([])
  expect(commands.length).toBeGreaterThanOrEqual(pages.length)
})

test('install.md writes the path of the program into the systemd unit', () => {
  const [, code = ''] = /<!-- systemd -->\n```sh\n([\s\S]*?)^```$/m.exec(page) ?? []
  const [line = ''] = /^sed .*(?= > )/m.exec(code) ?? []
  const program = 'mayfly() { :; }; command() { echo /opt/node/bin/mayfly; };'
  const { stdout } = spawnSync('bash', ['-euc', `${program} ${line}`], { cwd: ROOT, encoding: 'utf8' })
  expect(stdout).toContain('\nExecStart=/opt/node/bin/mayfly serve\n')
  expect(stdout).not.toContain('/usr/local/bin/mayfly')
})

test('install.md sets values that chart and instance know', () => {
  const values = parse(read('docs/install/chart/values.yaml')) as object
  const set = [...page.matchAll(/--set '?([a-zA-Z.]+)=/g)].map(([, key = '']) => key)
  const ofTheChart = set.filter((key) => !['host', 'trustedProxies'].includes(key))
  const missing = ofTheChart.filter((key) => {
    const at = key.split('.').reduce<unknown>((tree, part) => (tree as Record<string, unknown>)?.[part], values)
    return at === undefined
  })
  expect(missing).toEqual([])
  expect(ofTheChart.length).toBeGreaterThan(5)
  const known = new Set([...variables(), ...Object.values(ADMIN_VARIABLES), 'MAYFLY_ADMIN_PASSWORD'])
  const named = [...page.matchAll(/\b(MAYFLY_[A-Z0-9_]+)\b/g)].map(([, name = '']) => name)
  expect(named.filter((name) => !known.has(name))).toEqual([])
})

test('shell examples pass shellcheck', needs('shellcheck'), () => {
  expect(blocks.length).toBeGreaterThan(6)
  for (const code of blocks) {
    const { stdout } = spawnSync('shellcheck', ['-s', 'bash', '-e', 'SC2154,SC2164', '-'], {
      input: code,
      encoding: 'utf8',
    })
    expect(stdout).toBe('')
  }
})
