/** The result of one check of an instance. */
export interface Finding {
  section: string
  check: string
  level: 'ok' | 'warn' | 'fail'
  /** In English. */
  message: string
  /** How to fix it, in English. */
  fix?: string
}

/** A finding that the page of administrators also shows, in their language. */
export interface Problem extends Finding {
  code: ProblemCode
  /** Values of the placeholders of the text. */
  params: Record<string, string>
  level: 'warn' | 'fail'
  fix: string
}

/** The finding of a check of a running server. A finding that is not `ok` must be a problem, which has translations. */
export type ServerFinding = (Finding & { level: 'ok' }) | Problem

export type ProblemCode = keyof typeof PROBLEMS

const NEW_NODE = 'install the newest long-term version of Node.js'
const SET_PROXIES = 'set MAYFLY_TRUSTED_PROXIES to the address of the proxy'

/** Level, section, check, message and fix by code. The page has a translation of each, as `admin:problems.CODE`. */
export const PROBLEMS = {
  node_ended: ['warn', 'config', 'node', 'Node {{version}} gets no security fixes since {{date}}', NEW_NODE],
  node_short_term: [
    'warn',
    'config',
    'node',
    'Node {{version}} is not a long-term version',
    `${NEW_NODE}, which has an even number`,
  ],
  public_url_missing: ['warn', 'config', 'publicUrl', 'not set, links point to localhost', 'set MAYFLY_PUBLIC_URL'],
  public_url_not_https: [
    'warn',
    'config',
    'publicUrl',
    'not https',
    'put an https reverse proxy in front, see docs/one-machine.md',
  ],
  proxies_missing: [
    'warn',
    'config',
    'trustedProxies',
    'empty, all clients seem to have the address of the proxy',
    SET_PROXIES,
  ],
  proxies_wide: [
    'warn',
    'config',
    'trustedProxies',
    'trusts every address, so any client can choose the address that the limits see',
    SET_PROXIES,
  ],
  limits_off: [
    'warn',
    'config',
    'limits',
    'off: nothing slows down guessing or flooding',
    'remove limits=off (MAYFLY_LIMITS); limitFactor raises the limits',
  ],
  database_unencrypted: ['warn', 'database', 'connection', 'not encrypted', 'turn on TLS, see docs/databases.md'],
  events_lost: [
    'warn',
    'database',
    'events for {{subscriber}}',
    'events were given up, because too many waited',
    'check it with `mayfly events ping {{subscriber}}`, then `{{command}}`; if it was removed, `mayfly events purge --subscriber {{subscriber}}`',
  ],
  second_factors_missing: [
    'warn',
    'database',
    'second factors',
    'administrators without one, which the policy requires: {{names}}',
    'they add one on the page Security; after the days of grace they can do nothing else',
  ],
  factor_key_wrong: [
    'fail',
    'database',
    'factor key',
    'not the one that encrypted the authenticator apps: their codes are refused',
    'put factor.key of another machine or of your backup into {{folder}}, or set instanceKey as before; if it is lost, see docs/second-factor.md',
  ],
  factor_key_unreadable: [
    'fail',
    'database',
    'factor key',
    '{{file}} cannot be read: {{error}}',
    'make the user of the server its owner',
  ],
  passkeys_of_other_host: [
    'warn',
    'database',
    'passkeys',
    'were made for {{host}}, and publicUrl has the host {{current}}: browsers do not offer them',
    'set publicUrl back to {{host}}; or let users sign in with an app or a recovery code and add new passkeys, see docs/second-factor.md',
  ],
  part_down: ['fail', '{{part}}', 'start', 'does not respond', 'check the log of the server'],
} as const satisfies Record<string, [Problem['level'], string, string, string, string]>

type Placeholders<Text> = Text extends `${string}{{${infer Name}}}${infer Rest}` ? Name | Placeholders<Rest> : never

export function problem<Code extends ProblemCode>(
  code: Code,
  params: Record<Placeholders<(typeof PROBLEMS)[Code][number]>, string>,
): Problem {
  const values: Record<string, string> = params
  const [level, ...texts] = PROBLEMS[code]
  const [section = '', check = '', message = '', fix = ''] = texts.map((text) =>
    text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? ''),
  )
  return { section, check, level, message, fix, code, params }
}

export const ok = (section: string, check: string, message: string): Finding & { level: 'ok' } => ({
  section,
  check,
  level: 'ok',
  message,
})
export const warn = (section: string, check: string, message: string, fix: string): Finding => ({
  section,
  check,
  level: 'warn',
  message,
  fix,
})
export const fail = (section: string, check: string, message: string, fix: string): Finding => ({
  section,
  check,
  level: 'fail',
  message,
  fix,
})
