/** The shell in docs/ as written: every block of these pages runs in order, in one folder, and is sound. */

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { version } from '#cli/lib/version'
import { freePort } from '#core/runtime'
import { type LocalServer, startLocalServer } from '#test/local-server'
import { needs } from '#test/needs'
import { run } from '#test/run-cli'
import { shell } from '#test/spawn-cli'
import { CLI } from '#test/start-server'

const read = (name: string) => readFileSync(join(import.meta.dirname, '../../../docs', name), 'utf8')
const ENV_FILE = 'DATABASE_URL=postgres://db\n'

let cwd: string
let server: LocalServer
beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'mayfly-documents-'))
  server = await startLocalServer()
  writeFileSync(join(cwd, '.env'), ENV_FILE)
  writeFileSync(join(cwd, 'migrate.sh'), '#!/bin/sh\nprintenv DATABASE_URL > got\n', { mode: 0o755 })
})
afterAll(async () => {
  await server?.stop()
  rmSync(cwd, { recursive: true, force: true })
})

/** The blocks of a page that are to be run. */
const blocksOf = (page: string) =>
  [...page.matchAll(/(<!-- not run: .*-->\n)?^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, skipped, code = '']) =>
    skipped ? [] : [code],
  )

/** Commands of the steps of a pipeline: `run: |` of GitHub, `script:` of GitLab. */
function scriptsOf(page: string): string[] {
  const github = [...page.matchAll(/^ {8}run: \|\n((?: {10}.*\n)+)/gm)].map(([, code = '']) =>
    code.replace(/^ {10}/gm, ''),
  )
  const gitlab = [...page.matchAll(/^ {2}script:\n((?: {4}- .*\n)+)/gm)].map(([, code = '']) =>
    code.replace(/^ {4}- /gm, ''),
  )
  return [...github, ...gitlab]
}

test('http-api.md, a sealed secret with another client', async () => {
  const [, code = ''] =
    /<!-- sealed example[^>]*-->\n```js\n([\s\S]*?)```\n<!-- \/sealed example -->/.exec(read('http-api.md')) ?? []
  // Where the package of the example is found.
  const program = join(import.meta.dirname, '../../../node_modules', `.sealed-example-${process.pid}.mjs`)
  // The command line opens a second secret instead of the example.
  writeFileSync(
    program,
    code.replace('console.log(await open(link))', 'if (process.argv[3]) console.log(await open(link))'),
  )
  try {
    const example = (...args: string[]) =>
      shell(`'${process.execPath}' '${program}' '${server.url}' ${args.join(' ')}`, { cwd })
    const text = 'a text that only the link opens: ☃'
    const own = await example('open')
    expect(own.stdout.toString()).toMatch(new RegExp(`#1[\\w-]{45}\\n${text}\\n$`))
    const link = (await example()).stdout.toString().trim()
    expect((await run(['secret', 'read', '-'], { stdin: link })).stdout.toString()).toBe(text)
  } finally {
    rmSync(program, { force: true })
  }
})

test('quick-start.md, from set-up to the second account', async () => {
  const port = await freePort()
  const blocks = blocksOf(read('quick-start.md')).map((code) => code.replaceAll('3000', String(port)))
  expect(blocks).toHaveLength(4)
  const line = `trap 'kill $(jobs -p)' EXIT\n${blocks.join('\n')}`
  // A function in the background would run in a shell of its own: a signal would end the shell, not the program.
  const program = `"${process.execPath}" "${CLI}"`
  const code = line.replace('mayfly serve', `${program} serve`)
  const env = { MAYFLY_PLUGINS: ',', MAYFLY_PORT: String(port), MAYFLY_HOST: '127.0.0.1' }
  const { stdout, stderr, code: exit } = await shell(code, { cwd, env })
  expect(stdout.toString(), stderr).toContain('\ncorrect horse')
  expect(stdout.toString()).toContain('alice')
  expect(exit).toBe(0)
  expect(readFileSync(join(cwd, 'admin-password'), 'utf8')).toMatch(/^\S{12,}\n$/)
  for (const file of ['admin-password', 'alice-password']) expect(statSync(join(cwd, file)).mode & 0o777).toBe(0o600)
})

test('backup.md, from the key to a new machine where only the backup is left', async () => {
  const page = read('backup.md')
  const block = (name: string) =>
    new RegExp(`<!-- ${name} -->\n\`\`\`sh\n([\\s\\S]*?)^\`\`\``, 'm').exec(page)?.[1] ?? ''
  const [old, next] = [mkdtempSync(join(cwd, 'old-')), mkdtempSync(join(cwd, 'new-'))]
  const env = { MAYFLY_PLUGINS: ',', MAYFLY_PORT: String(await freePort()), MAYFLY_HOST: '127.0.0.1' }
  const made =
    'mayfly migrate --database-url sqlite:data/mayfly.db && mayfly user add jurgen-1 --email jurgen@example.org'
  const first = await shell(`${made}\n${block('key')}\ncp backup.tar backup.key '${next}'`, { cwd: old, env })
  expect(first.code, first.stderr).toBe(0)
  const steps = block('only the backup is left')
  expect(steps.trim().split('\n')).toHaveLength(3)
  const second = await shell(steps.replace('mayfly serve', 'mayfly doctor'), { cwd: next, env })
  expect(second.stdout.toString(), second.stderr).toContain('jurgen-1')
  expect(second.code, second.stderr).toBe(0)
})

test('the steps of ci.md run for both runners and print no part of a link', async () => {
  const [share = '', use = '', gitlab = ''] = scriptsOf(read('ci.md'))
  const env = { MAYFLY_SERVER: server.url, CI: '1', GITHUB_ACTIONS: 'true', GITHUB_OUTPUT: 'output' }
  const masked = (text: string) => text.replace(/^::add-mask::.*\n/gm, '')
  const first = await shell(share, { cwd, env })
  const link = readFileSync(join(cwd, 'output'), 'utf8').trim().replace('link=', '')
  const second = await shell(use, { cwd, env: { ...env, LINK: link } })
  expect(readFileSync(join(cwd, 'got'), 'utf8')).toBe(`${ENV_FILE.trim()}\n`)
  rmSync(join(cwd, 'got'))
  const third = await shell(gitlab, { cwd, env })
  expect(readFileSync(join(cwd, 'got'), 'utf8')).toBe(`${ENV_FILE.trim()}\n`)
  for (const { stdout, stderr, code } of [first, second, third]) {
    expect(code, stderr).toBe(0)
    expect(stdout.toString() + masked(stderr)).not.toMatch(/#1|postgres:/)
  }
  expect((await run(['secret', 'read', '-'], { stdin: link })).code).toBe(3)
})

test('the GitHub action and the GitLab component install the single file, and refuse another one', async () => {
  const file = join(dirname(CLI), 'client/mayfly.mjs')
  const [url, sha256] = [pathToFileURL(file).href, createHash('sha256').update(readFileSync(file)).digest('hex')]
  const action = parse(read('install/github-action/action.yml')) as { runs: { steps: { run: string }[] } }
  const [, component] = parseAllDocuments(read('install/gitlab-component/mayfly.yml')).map((part) => part.toJS())
  const github = action.runs.steps[0]?.run ?? ''
  const gitlab: string = component['.mayfly'].before_script.join('\n')
  const home = mkdtempSync(join(tmpdir(), 'mayfly-runner-'))
  const env = (sum: string) => ({
    HOME: home,
    RUNNER_TEMP: home,
    GITHUB_PATH: join(home, 'path'),
    GITHUB_ENV: join(home, 'env'),
    FILE_URL: url,
    FILE_SHA256: sum,
    SERVER: server.url,
    MAYFLY_FILE_URL: url,
    MAYFLY_FILE_SHA256: sum,
  })
  // Without the function of the test, so that the installed command runs.
  for (const script of [`unset -f mayfly\n${github}`, `unset -f mayfly\n${gitlab}`]) {
    const refused = await shell(script, { cwd: home, env: env('0'.repeat(64)) })
    expect(refused.code).not.toBe(0)
    const installed = await shell(script, { cwd: home, env: env(sha256) })
    expect(installed, installed.stderr).toMatchObject({ code: 0 })
    expect(installed.stdout.toString()).toBe(`${version}\n`)
  }
  expect(readFileSync(join(home, 'env'), 'utf8')).toBe(`MAYFLY_SERVER=${server.url}\n`)
  const folder = readFileSync(join(home, 'path'), 'utf8').trim()
  const created = await shell(`unset -f mayfly; PATH="${folder}:$PATH"; mayfly secret create < .env`, {
    cwd,
    env: { MAYFLY_SERVER: server.url },
  })
  expect((await run(['secret', 'read', '-'], { stdin: created.stdout })).stdout.toString()).toBe(ENV_FILE)
  rmSync(home, { recursive: true, force: true })
})

test('shell examples pass shellcheck', needs('shellcheck'), () => {
  for (const code of [...blocksOf(read('quick-start.md')), ...blocksOf(read('ci.md')), ...scriptsOf(read('ci.md'))]) {
    const { stdout } = spawnSync('shellcheck', ['-s', 'bash', '-e', 'SC2154', '-'], { input: code, encoding: 'utf8' })
    expect(stdout).toBe('')
  }
})
