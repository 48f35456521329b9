/** `--json` of every command: one document on stdout with keys in snake_case, also when there is nothing to do. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LocalServer, startLocalServer } from '#test/local-server'
import { run } from '#test/run-cli'
import { COMMANDS } from './program.js'
import { TOPICS } from './reference/help-topics.js'

/** Commands whose stdout is not a document but the output of a program, of a server, or a text. */
const WITHOUT_DOCUMENT = ['run', 'serve', 'help', 'completion', 'man', 'mcp']

interface Step {
  /** Command and arguments. */
  line: string
  /**
   * `LINK` is the secret that was created last, `RECEIPT` the last receipt, `TOKEN` the last token, `COLLECT` and
   * `REQUEST` the links of the last request, `WEBHOOK` and `DELIVERY` ids.
   */
  stdin?: string
  code?: number
}

/** In this order, because each uses results of earlier ones. */
const STEPS: Step[] = [
  { line: 'migrate' },
  { line: 'migrate status' },
  { line: 'user add alice --email alice@example.org --role admin' },
  { line: 'user add alice --email alice@example.org --role admin --if-missing' },
  { line: 'user groups alice support' },
  { line: 'user list' },
  { line: 'user passwd alice' },
  { line: 'user token alice' },
  { line: 'settings list' },
  { line: 'settings get read_only' },
  { line: 'settings set read_only=false' },
  { line: 'settings policy' },
  { line: 'settings preset' },
  { line: 'settings explain' },
  { line: 'audit' },
  { line: 'config list' },
  { line: 'config set ttl=2h' },
  { line: 'config get ttl' },
  { line: 'config list --client' },
  { line: 'login --token-stdin', stdin: 'TOKEN' },
  { line: 'whoami' },
  { line: 'webhook add https://127.0.0.1:9/ä --name Empfänger --events secret.created' },
  { line: 'webhook list' },
  { line: 'webhook rotate WEBHOOK' },
  { line: 'webhook ping WEBHOOK', code: 6 },
  { line: 'secret create --views 3 --title täxt', stdin: 'täxt\n' },
  { line: 'secret list' },
  { line: 'webhook deliveries WEBHOOK' },
  { line: 'webhook redeliver WEBHOOK --delivery DELIVERY' },
  { line: 'webhook redeliver WEBHOOK', code: 2 },
  { line: 'webhook remove WEBHOOK' },
  { line: 'webhook remove WEBHOOK', code: 3 },
  { line: 'secret read - --peek', stdin: 'LINK' },
  { line: 'secret read -', stdin: 'LINK' },
  { line: 'env --links -', stdin: 'a=LINK' },
  { line: 'inject -o filled.txt', stdin: '{{ mayfly:LINK }}' },
  { line: 'secret create --views 3 --label täxt', stdin: 'täxt\n' },
  { line: 'secret update - --views 2 --label täxt', stdin: 'LINK' },
  { line: 'secret burn -', stdin: 'LINK' },
  { line: 'secret wait -', stdin: 'LINK', code: 3 },
  { line: 'secret list --state burned' },
  { line: 'secret export' },
  { line: 'secret create --receipt', stdin: 'täxt\n' },
  { line: 'secret status -', stdin: 'RECEIPT' },
  { line: 'request create --title täxt --show-collect-link' },
  { line: 'request list' },
  { line: 'request show REQUEST' },
  { line: 'request submit REQUEST', stdin: 'täxt' },
  { line: 'request collect -', stdin: 'COLLECT' },
  { line: 'request close -', stdin: 'COLLECT' },
  { line: 'logout' },
  { line: 'import hemmelig missing.db --dry-run', code: 2 },
  { line: 'user add bert --email bert@example.org --role admin' },
  { line: 'user role bert user' },
  { line: 'user email bert b@example.org' },
  { line: 'user verify-email bert' },
  { line: 'user suspend bert' },
  { line: 'user resume bert' },
  { line: 'user end-sessions bert' },
  { line: 'user access bert' },
  { line: 'user revoke bert token:0a1b2c3d', code: 3 },
  { line: 'user lock-out bert' },
  { line: 'user reset-factors bert' },
  { line: 'user delete bert --confirm bert' },
  { line: 'purge --orphans --dry-run' },
  { line: 'purge' },
  { line: 'events list' },
  { line: 'events ping webhook.default', code: 2 },
  { line: 'events redeliver' },
  { line: 'events purge --state dead' },
  { line: 'plugin list' },
  { line: 'plugin check audit-file' },
  { line: 'mail test alice@example.org', code: 2 },
  { line: 'doctor --section database' },
  { line: 'verify-web URL' },
  { line: 'backup backup.tar' },
  { line: 'restore backup.tar --dry-run' },
  { line: 'db copy --from sqlite:data/mayfly.db --to sqlite:copy.db' },
  { line: 'db compact' },
  { line: 'setup --no-input --print' },
  { line: 'setup --no-input --dry-run' },
  { line: 'version' },
]

let cwd: string
let server: LocalServer
beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'mayfly-json-'))
  server = await startLocalServer({
    dataDir: join(cwd, 'data'),
    env: {
      MAYFLY_PLUGINS: 'web,webhook',
      MAYFLY_WEBHOOK_USER_TARGETS: 'true',
      MAYFLY_WEBHOOK_USER_TARGETS_ALLOW: '127.0.0.1',
    },
  })
})
afterAll(async () => {
  await server?.stop()
  rmSync(cwd, { recursive: true })
})

test('every command is checked, or has no document', () => {
  const isChecked = (name: string) => STEPS.some(({ line }) => `${line} `.startsWith(`${name} `))
  const missing = COMMANDS.map(({ name }) => name).filter((name) => !isChecked(name))
  expect(missing.sort()).toEqual([...WITHOUT_DOCUMENT].sort())
})

test('`help formats` describes the document of every command', () => {
  const undescribed = COMMANDS.map(({ name }) => name).filter(
    (name) => !WITHOUT_DOCUMENT.includes(name) && !(TOPICS.formats as string).includes(name),
  )
  expect(undescribed).toEqual([])
})

let link = ''
let receipt = ''
let token = ''
let request = { link: '', collect_link: '' }
let webhook = ''
let delivery = ''
test.each(STEPS)('$line', async ({ line, stdin = '', code = 0 }) => {
  const env = {
    MAYFLY_SERVER: server.url,
    MAYFLY_LOCAL_FILES_MIN_FREE_BYTES: '0',
    XDG_CONFIG_HOME: join(cwd, 'config'),
  }
  const read = stdin
    .replace('LINK', link)
    .replace('RECEIPT', receipt)
    .replace('TOKEN', token)
    .replace('COLLECT', request.collect_link)
  const words = line
    .replace('URL', server.url)
    .replace('REQUEST', request.link)
    .replace('WEBHOOK', webhook)
    .replace('DELIVERY', delivery)
    .split(' ')
  // A running server writes its statistics every few seconds, also between the copy and its comparison.
  if (line.startsWith('db copy')) await server.stop()
  const ran = await run([...words, '--json'], { cwd, env, stdin: read })
  expect(ran.code, ran.stderr).toBe(code)
  const documents = `${ran.stdout}`
  if (code !== 0) {
    expect(documents).toBe('')
    // Notes may come before the error.
    expect(JSON.parse(ran.stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({ error: { exit: code } })
    return
  }
  const document: unknown = JSON.parse(documents)
  expect(documents.endsWith('\n')).toBe(true)
  expect(typeof document === 'object' && document !== null).toBe(true)
  // The config file of the instance has keys of its own.
  if (!line.includes('--print'))
    expect(listKeys(document).filter((key) => !/^[a-z0-9]+(_[a-z0-9]+)*$/.test(key))).toEqual([])
  if (line.startsWith('secret create')) link = (document as { link: string }).link
  if (line.includes('--receipt')) receipt = (document as { receipt: string }).receipt
  if (line.startsWith('request create')) request = document as typeof request
  if (line.startsWith('user token')) token = (document as { token: string }).token
  if (line.startsWith('webhook add')) webhook = (document as { id: string }).id
  if (line.startsWith('webhook deliveries')) delivery = (document as { id: string }[])[0]?.id ?? 'missing'
})

function listKeys(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(listKeys)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]) => [key, ...listKeys(each)])
}
