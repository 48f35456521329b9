/** Exact output of every command on success: stdout, stderr and exit code in a pipe, on one instance. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LocalServer, startLocalServer } from '#test/local-server'
import { run } from '#test/run-cli'
import { COMMANDS } from './program.js'

interface Step {
  /** Its name, as in the table of commands. */
  name: string
  args?: string[]
  /** `LINK` is the secret that was created last, `TOKEN` the token. */
  stdin?: string
  stdout: string | RegExp
  /** Without `mayfly: `, a line each. */
  stderr: (string | RegExp)[]
  code?: number
}

const USING = /^using sqlite \/\S+\/data\/mayfly\.db$/
const PASSPHRASE = /^[a-z]+(-[a-z]+){4}-\d\d\n$/
const TIME = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z'

/** In this order, because each uses results of earlier ones. */
const STEPS: Step[] = [
  { name: 'migrate', stdout: '', stderr: [USING, 'nothing to do'] },
  {
    name: 'user add',
    args: ['alice', '--email', 'alice@example.org'],
    stdout: PASSPHRASE,
    stderr: [USING, 'added alice'],
  },
  {
    name: 'import hemmelig',
    args: ['missing.db'],
    stdout: '',
    stderr: [USING, 'error: cannot read the database: ENOENT'],
    code: 2,
  },
  { name: 'user list', stdout: new RegExp(`^alice\talice@example.org\tuser\t0\t${TIME}\t-\t-\t-\n$`), stderr: [USING] },
  { name: 'user groups', args: ['alice', 'support'], stdout: '', stderr: [USING, 'groups of alice: support'] },
  {
    name: 'user email',
    args: ['alice', 'a@example.org'],
    stdout: '',
    stderr: [USING, 'the address of alice is a@example.org, not confirmed'],
  },
  {
    name: 'user verify-email',
    args: ['alice'],
    stdout: '',
    stderr: [USING, 'the address of alice is a@example.org, confirmed'],
  },
  { name: 'user suspend', args: ['alice'], stdout: '', stderr: [USING, 'alice is suspended'] },
  { name: 'user resume', args: ['alice'], stdout: '', stderr: [USING, 'alice is active'] },
  { name: 'user access', args: ['alice'], stdout: '', stderr: [USING] },
  {
    name: 'user revoke',
    args: ['alice', 'token:0a1b2c3d'],
    stdout: '',
    code: 3,
    stderr: [USING, /^error: the account does not have this any more$/],
  },
  {
    name: 'user lock-out',
    args: ['alice'],
    stdout: '',
    stderr: [USING, 'locked everyone out of alice', /^warning: the password still works/],
  },
  {
    name: 'user reset-factors',
    args: ['alice'],
    stdout: '',
    stderr: [USING, 'alice has no second factor, and signs in with the first one only'],
  },
  {
    name: 'user end-sessions',
    args: ['alice'],
    stdout: '',
    stderr: [USING, 'ended 0 sessions of alice and deleted all API tokens'],
  },
  { name: 'user role', args: ['alice', 'admin'], stdout: '', stderr: [USING, 'alice is an administrator'] },
  { name: 'user passwd', args: ['alice'], stdout: PASSPHRASE, stderr: [USING, /alice/] },
  { name: 'user token', args: ['alice'], stdout: /^mf_\S+\n$/, stderr: [USING, /^token for alice, until \S+$/] },
  { name: 'settings list', stdout: /^(\w+\t.*\n)+$/, stderr: [USING] },
  {
    name: 'settings policy',
    args: ['visitors', 'max-file-bytes=10MiB', 'lifetimes=1m..2h,3h..7d'],
    stdout: '',
    stderr: [USING, 'visitors lifetimes: (not set) -> 1m..2h,3h..7d', 'visitors maxFileBytes: (not set) -> 10MiB'],
  },
  {
    name: 'settings preset',
    args: ['Für ☃', 'ttl=1d', 'maxviews=1', 'options=password,receipt'],
    stdout: '',
    stderr: [USING, 'preset Für ☃ added'],
  },
  {
    name: 'settings explain',
    stdout:
      /^lifetimes\t1m\.\.2h,3h\.\.7d\tvisitors\ndefaultTtl\t1d\tconfiguration\nmaxViews\tunlimited\tconfiguration\n/,
    stderr: [USING],
  },
  { name: 'settings set', args: ['disable_users=true'], stdout: '', stderr: [USING, 'disable_users: false -> true'] },
  { name: 'settings get', args: ['disable_users'], stdout: 'true\n', stderr: [USING] },
  {
    name: 'audit',
    args: ['--take', '1'],
    stdout: new RegExp(`^${TIME}\tsettings.changed\t\\(shell\\)\tdisable_users\t`),
    stderr: [USING],
  },
  { name: 'events list', stdout: '', stderr: [USING] },
  {
    name: 'events ping',
    args: ['webhook.default'],
    stdout: '',
    stderr: [USING, 'error: no subscriber has this name', 'hint: configured subscribers: none'],
    code: 2,
  },
  { name: 'events redeliver', stdout: '', stderr: [USING, 'queued 0 events'] },
  { name: 'events purge', args: ['--state', 'dead'], stdout: '', stderr: [USING, 'deleted 0 events'] },
  {
    name: 'mail test',
    args: ['alice@example.org'],
    stdout: '',
    stderr: [USING, 'error: this instance sends no e-mail', 'hint: add the plugin smtp, see docs/mail.md'],
    code: 2,
  },
  { name: 'login', args: ['--token-stdin'], stdin: 'TOKEN', stdout: '', stderr: ['signed in as alice'] },
  {
    name: 'whoami',
    stdout: 'alice\n',
    stderr: [/^at http:\S+, token from /, 'defaults: --ttl 1d --views 1', 'uploaded in 24 hours: 0 bytes of 10 GB'],
  },
  {
    name: 'webhook add',
    args: ['https://127.0.0.1:9/ä', '--name', 'Empfänger', '--events', 'secret.created'],
    stdout: /^whsec_[A-Za-z0-9+/]{43}=\n$/,
    stderr: [/^webhook [0-9a-f]{32} created; give its signing secret to the receiver$/],
  },
  {
    name: 'webhook list',
    stdout: new RegExp(`^[0-9a-f]{32}\tEmpfänger\thttps://127.0.0.1:9/ä\tsecret.created\tworking\t-\t${TIME}\n$`),
    stderr: [],
  },
  {
    name: 'webhook ping',
    args: ['WEBHOOK'],
    stdout: '',
    stderr: ['error: the receiver did not accept the event: unreachable'],
    code: 6,
  },
  {
    name: 'webhook rotate',
    args: ['WEBHOOK'],
    stdout: /^whsec_[A-Za-z0-9+/]{43}=\n$/,
    stderr: [new RegExp(`^the old signing secret also signs until ${TIME}$`)],
  },
  { name: 'webhook deliveries', args: ['WEBHOOK'], stdout: '', stderr: [] },
  {
    name: 'webhook redeliver',
    args: ['WEBHOOK', '--delivery', 'evt_1'],
    stdout: '',
    stderr: ['error: this delivery is not in the log any more', /^hint: /],
    code: 3,
  },
  { name: 'webhook remove', args: ['WEBHOOK'], stdout: '', stderr: ['removed'] },
  { name: 'secret create', stdin: 'täxt', stdout: /^http\S+\/secret\/\S{22}#1\S{45}\n$/, stderr: [/opens once/] },
  { name: 'secret list', stdout: /^\S{22}\t/, stderr: [] },
  { name: 'run', args: ['--links', '-', '--', 'printenv', 'A'], stdin: 'A=LINK', stdout: 'täxt\n', stderr: [] },
  { name: 'secret create', stdin: "it's", stdout: /^http/, stderr: [/opens once/] },
  { name: 'env', args: ['--links', '-'], stdin: 'A=LINK', stdout: "export A='it'\\''s'\n", stderr: [] },
  { name: 'secret create', stdin: 'täxt\n', stdout: /^http/, stderr: [/opens once/] },
  {
    name: 'inject',
    stdin: 'a: {{ mayfly:LINK }}\n',
    stdout: 'a: täxt\n',
    stderr: ['filled 1 place with 1 secret'],
  },
  { name: 'secret create', stdin: 'täxt', stdout: /^http/, stderr: [/opens once/] },
  { name: 'secret read', args: ['-'], stdin: 'LINK', stdout: 'täxt', stderr: ['opened; the secret is gone now'] },
  { name: 'secret create', stdin: 'täxt', stdout: /^http/, stderr: [/opens once/] },
  {
    name: 'secret wait',
    args: ['-', '--for', '1s'],
    stdin: 'LINK',
    stdout: '',
    stderr: ['error: the secret still exists', 'hint: wait again, or burn it'],
    code: 6,
  },
  {
    name: 'secret update',
    args: ['-', '--ttl', '10m'],
    stdin: 'LINK',
    stdout: '',
    stderr: [new RegExp(`^opens \\S+.*, expires in (10 minutes|9 minutes.*) \\(${TIME}\\)$`)],
  },
  {
    name: 'secret status',
    args: ['-'],
    stdin: 'LINK',
    stdout: '',
    stderr: ['error: this is a link to a secret; a receipt link is needed', /^hint: /],
    code: 2,
  },
  { name: 'secret burn', args: ['-'], stdin: 'LINK', stdout: '', stderr: [/burned/] },
  {
    name: 'secret list',
    args: ['--state', 'burned'],
    stdout: /^\S{22}\tburned\t\S+Z\t\S+Z\tsealed\t0\t1\t0\t-\n$/,
    stderr: [],
  },
  {
    name: 'secret export',
    stdout: /^id,state,ended_at,created_at,kind,views,views_limit,has_password,files,label\r\n\S{22},burned,.*\r\n/,
    stderr: [],
  },
  {
    name: 'request create',
    args: ['--collect-file', 'collect.link'],
    stdout: /^http\S+\/request\/\S{22}#1\S{66}\n$/,
    stderr: [/accepts 1 submission/, /collect\.link$/],
  },
  { name: 'request list', stdout: /^\S{22}\t0\t0\t1\t/, stderr: [] },
  { name: 'request show', args: ['-'], stdin: 'LINK', stdout: /^id\t\S{22}\ntitle\t\n/, stderr: [] },
  { name: 'request submit', args: ['LINK'], stdin: 'täxt', stdout: '', stderr: [/^submitted: expires in/] },
  {
    name: 'request collect',
    args: ['COLLECT'],
    stdout: 'täxt',
    stderr: ['made by a holder of the request link', 'opened; the secret is gone now'],
  },
  { name: 'request close', args: ['COLLECT'], stdout: '', stderr: ['closed: unopened submissions are burned'] },
  { name: 'logout', stdout: '', stderr: ['signed out'] },
  {
    name: 'user delete',
    args: ['alice', '--confirm', 'alice'],
    stdout: '',
    stderr: [USING, 'error: this is the last administrator'],
    code: 8,
  },
  { name: 'plugin list', stdout: /^sqlite\tbuilt in\t\S+\t1\tstorage\n/, stderr: [] },
  { name: 'plugin check', args: ['audit-file'], stdout: /^ok {4}load: .*\n(ok {4}\w+: .*\n)+$/, stderr: [] },
  { name: 'purge', stdout: '', stderr: [] },
  { name: 'doctor', args: ['--section', 'database'], stdout: /^(ok {4}database: .*\n)+$/, stderr: [] },
  { name: 'verify-web', args: ['URL'], stdout: '', stderr: [/files match this version/] },
  { name: 'backup', args: ['backup.tar'], stdout: '', stderr: [USING, 'backed up 1 user, 0 secrets'] },
  {
    name: 'restore',
    args: ['backup.tar', '--dry-run'],
    stdout: /^made\t.*\nmayfly\t.*\nauthenticated\t.*\n(\w+\t\d+\n)+$/,
    stderr: [],
  },
  {
    name: 'db copy',
    args: ['--from', 'sqlite:data/mayfly.db', '--to', 'sqlite:copy.db'],
    stdout: /^(\w+\t(\d+)\t\2\tok\n)+$/,
    stderr: [USING, /^using sqlite \/\S+\/copy\.db$/],
  },
  { name: 'db compact', stdout: '', stderr: [USING, /^compacted: \S+ \S+ before, \S+ \S+ after$/] },
  {
    name: 'setup',
    args: ['--no-input', '--print', '--port', '8080'],
    stdout: /^\{\n {2}"port": 8080,\n[\s\S]*\}\n$/,
    stderr: [],
  },
  { name: 'serve', args: ['--port', '70000'], stdout: '', stderr: [/^error: port: .*\(--port\)$/], code: 2 },
  { name: 'config set', args: ['ttl=2h'], stdout: '', stderr: ['ttl: 2h'] },
  { name: 'config get', args: ['ttl'], stdout: '2h\n', stderr: [] },
  { name: 'config list', stdout: /^storage\t"sqlite"\tdefault\n/, stderr: [] },
  {
    name: 'mcp',
    stdout: '',
    stderr: [
      /^error: agents have no access: the setting agent_folders of the command line is empty$/,
      /^hint: mayfly config set agent_folders=/,
    ],
    code: 2,
  },
  { name: 'help', args: ['exit-codes'], stdout: /^ {2}0 {2}ok/, stderr: [] },
  { name: 'completion', args: ['bash'], stdout: /^# Completions of mayfly for bash/, stderr: [] },
  { name: 'man', args: ['version'], stdout: /^\.TH MAYFLY/, stderr: [] },
  { name: 'version', stdout: /^\d+\.\d+\.\d+\S*\n$/, stderr: [] },
]

let cwd: string
let server: LocalServer
beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'mayfly-results-'))
  mkdirSync(join(cwd, 'data'))
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

test('every command has a result', () => {
  expect(COMMANDS.map(({ name }) => name).filter((name) => !STEPS.some((step) => step.name === name))).toEqual([])
})

let link = ''
let token = ''
let webhook = ''
test.each(STEPS)('$name', async ({ name, args = [], stdin = '', stdout, stderr, code = 0 }) => {
  const env = {
    MAYFLY_SERVER: server.url,
    MAYFLY_LOCAL_FILES_MIN_FREE_BYTES: '0',
    XDG_CONFIG_HOME: join(cwd, 'config'),
  }
  const collect =
    name.startsWith('request ') && args.includes('COLLECT') ? readFileSync(join(cwd, 'collect.link'), 'utf8') : ''
  const words: Record<string, string> = { URL: server.url, LINK: link, COLLECT: collect.trim(), WEBHOOK: webhook }
  const given = args.map((arg) => words[arg] ?? arg)
  const read = stdin.replace('LINK', link).replace('TOKEN', token)
  // A running server writes its statistics every few seconds, also between the copy and its comparison.
  if (name === 'db copy') await server.stop()
  const ran = await run([...name.split(' '), ...given], { cwd, env, stdin: read })
  const lines = ran.stderr.split('\n').slice(0, -1)
  const said = (text: string | RegExp) => (typeof text === 'string' ? text : expect.stringMatching(text))
  expect({
    stdout: ran.stdout.toString(),
    stderr: lines.map((line) => line.replace(/^mayfly: /, '')),
    code: ran.code,
  }).toEqual({
    stdout: said(stdout),
    stderr: stderr.map(said),
    code,
  })
  expect(lines.every((line) => line.startsWith('mayfly: '))).toBe(true)
  if (name === 'secret create' || name === 'request create') link = ran.stdout.toString().trim()
  if (name === 'user token') token = ran.stdout.toString().trim()
  if (name === 'webhook add') webhook = /[0-9a-f]{32}/.exec(ran.stderr)?.[0] ?? ''
})
