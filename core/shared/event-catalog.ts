/**
 * The facts of an instance, one row each. Listeners, durable events, audit actions, the choices of webhooks, the kinds
 * of e-mails and the checks of plugins and docs follow from this table.
 */

/**
 * Who may subscribe. `listener`: plugins, in memory. `operator`: receivers of the operator. `owner`: webhooks of the
 * user in `ownerId`. `notify`: e-mail to that user, who asked for it. `account`: e-mail to the user in `userId`.
 * `recipient`: e-mail to a named recipient of a secret.
 */
type Receiver = 'listener' | 'operator' | 'owner' | 'notify' | 'account' | 'recipient'

/** Values of a field. A time is epoch ms. A list of words: one of them. */
interface FieldTypes {
  id: string
  text: string
  count: number
  time: number
  boolean: boolean
  'id|null': string | null
  'text|null': string | null
  'count|null': number | null
}

type Field = keyof FieldTypes | readonly string[]

interface Fact {
  to?: readonly Receiver[]
  /** The object whose id is the subject. Durable events of one subject are delivered in order. */
  about?: 'secret' | 'request' | 'user'
  /** Fields in their order. Ids, times, kinds and counts: never a text, a key, a password or an address. */
  data?: Record<string, Field>
  /**
   * Level of the audit log; none: no entry. `each`: every fact is an entry. `counted`: anyone can cause it any number
   * of times, so equal entries of a minute share two, the second with `detail.times`.
   */
  audit?: 'each' | 'counted'
  /** Fields of `data` that the audit entry has. */
  detail?: readonly string[]
}

/** The owner of a secret, and whether the owner asked for notifications. `ownerId`: null for a visitor. */
const OWNED_SECRET = { secretId: 'id', ownerId: 'id|null', notify: 'boolean', createdAt: 'time' } as const
const EACH = { audit: 'each' } as const
const COUNTED = { audit: 'counted' } as const

const SECRET_FACTS = {
  /** `maxViews`: null for unlimited. `files`: their number. */
  'secret.created': {
    to: ['listener', 'operator', 'owner'],
    about: 'secret',
    data: {
      secretId: 'id',
      ownerId: 'id|null',
      kind: ['sealed', 'raw', 'public'],
      expiresAt: 'time',
      maxViews: 'count|null',
      files: 'count',
      hasPassword: 'boolean',
      hasAllowedIp: 'boolean',
      notify: 'boolean',
    },
    audit: 'each',
    detail: ['kind', 'files'],
  },
  /**
   * `views`: so far, including this one. `viewsLeft`: null for unlimited. `recipient`: number of the named recipient,
   * in the order of the request that created the secret; null for a secret without any.
   */
  'secret.viewed': {
    to: ['listener', 'operator', 'owner', 'notify'],
    about: 'secret',
    data: { ...OWNED_SECRET, views: 'count', viewsLeft: 'count|null', recipient: 'count|null' },
    audit: 'each',
    detail: ['viewsLeft', 'recipient'],
  },
  'secret.burned': {
    to: ['listener', 'operator', 'owner', 'notify'],
    about: 'secret',
    data: { ...OWNED_SECRET, reason: ['last-view', 'request'], views: 'count' },
    audit: 'each',
    detail: ['reason'],
  },
  /** Its lifetime ended before its views did. `views`: 0 if it was never opened. */
  'secret.expired': {
    to: ['listener', 'operator', 'owner', 'notify'],
    about: 'secret',
    data: { ...OWNED_SECRET, views: 'count' },
    audit: 'each',
  },
  /** `attemptsLeft`: before the secret is locked; null for a public secret, which is never locked. */
  'secret.password_wrong': {
    to: ['operator', 'owner'],
    about: 'secret',
    data: { secretId: 'id', ownerId: 'id|null', attemptsLeft: 'count|null' },
    audit: 'counted',
  },
  /**
   * A caller with the complete link requested a code, and entered the address of a named recipient. `address`:
   * encrypted for the instance. `language`: of the request; null: unknown.
   */
  'secret.code_requested': {
    to: ['listener', 'operator', 'recipient'],
    about: 'secret',
    data: { secretId: 'id', ownerId: 'id|null', recipient: 'count', address: 'text', language: 'text|null' },
    audit: 'counted',
    detail: ['recipient'],
  },
  /** `attemptsLeft`: before the secret is locked. */
  'secret.code_wrong': {
    to: ['operator', 'owner'],
    about: 'secret',
    data: { secretId: 'id', ownerId: 'id|null', attemptsLeft: 'count' },
    audit: 'counted',
  },
  'secret.locked': {
    to: ['operator', 'owner', 'notify'],
    about: 'secret',
    data: { ...OWNED_SECRET, lockedUntil: 'time' },
    audit: 'each',
  },
  /** A caller with the complete link had an address that the secret does not allow. */
  'secret.address_refused': {
    to: ['operator', 'owner'],
    about: 'secret',
    data: { secretId: 'id', ownerId: 'id|null' },
    audit: 'counted',
  },
  'secret.changed': EACH,
  'secret.damaged': COUNTED,
} as const satisfies Record<string, Fact>

const REQUEST_FACTS = {
  /** `notify`: the owner asked for notifications about submissions. */
  'request.created': {
    to: ['listener', 'operator', 'owner'],
    about: 'request',
    data: { requestId: 'id', ownerId: 'id|null', expiresAt: 'time', maxSubmissions: 'count', notify: 'boolean' },
    audit: 'each',
    detail: ['maxSubmissions'],
  },
  /** `secretId`: of the submission. `submissions`: so far, including this one. `files`: their number. */
  'request.submitted': {
    to: ['listener', 'operator', 'owner', 'notify'],
    about: 'request',
    data: {
      requestId: 'id',
      ownerId: 'id|null',
      secretId: 'id',
      submissions: 'count',
      submissionsLeft: 'count',
      files: 'count',
      notify: 'boolean',
    },
    audit: 'each',
    detail: ['secretId'],
  },
  /** The request has all its submissions. */
  'request.fulfilled': {
    to: ['operator', 'owner'],
    about: 'request',
    data: { requestId: 'id', ownerId: 'id|null', submissions: 'count', notify: 'boolean' },
  },
  /** Its lifetime ended before it had all its submissions. `submissions`: 0 without any submission. */
  'request.expired': {
    to: ['operator', 'owner'],
    about: 'request',
    data: {
      requestId: 'id',
      ownerId: 'id|null',
      submissions: 'count',
      submissionsLeft: 'count',
      notify: 'boolean',
    },
  },
  /** By its creator, before it expired. `burned`: number of unopened submissions that were burned. */
  'request.closed': {
    to: ['listener', 'operator', 'owner'],
    about: 'request',
    data: { requestId: 'id', ownerId: 'id|null', burned: 'count', notify: 'boolean' },
    audit: 'each',
    detail: ['burned'],
  },
} as const satisfies Record<string, Fact>

const USER_FACTS = {
  /** `provider`: the auth provider, or `local` for a password. */
  'user.created': {
    to: ['listener', 'operator'],
    about: 'user',
    data: { userId: 'id', provider: 'text' },
    audit: 'each',
  },
  'user.deleted': { to: ['listener', 'operator'], about: 'user', data: { userId: 'id' }, audit: 'each' },
  'user.suspended': { to: ['operator'], about: 'user', data: { userId: 'id' }, audit: 'each' },
  'user.resumed': { to: ['operator'], about: 'user', data: { userId: 'id' }, audit: 'each' },
  /**
   * Access to the account, or to events of the user's secrets, was changed or added. `factor`: a second factor was
   * added, removed or reset. `sign-in-alerts`: they were turned off. `recipient`: of a deleted account, encrypted for
   * the instance; null otherwise.
   */
  'user.security_changed': {
    to: ['operator', 'account'],
    about: 'user',
    data: {
      userId: 'id',
      change: [
        'password',
        'email',
        'role',
        'identity',
        'token',
        'webhook',
        'factor',
        'lock-out',
        'sign-in-alerts',
        'suspended',
        'resumed',
        'deleted',
      ],
      recipient: 'text|null',
    },
  },
  /** `language`: of the request that asked; null: unknown. `epoch`: security epoch of the account, see `User.epoch`. */
  'user.reset_requested': {
    to: ['operator', 'account'],
    about: 'user',
    data: { userId: 'id', language: 'text|null', epoch: 'count' },
    audit: 'counted',
  },
  /** `language`: of the request that caused it; null: unknown. `epoch`: as before. */
  'user.verification_requested': {
    to: ['operator', 'account'],
    about: 'user',
    data: { userId: 'id', language: 'text|null', epoch: 'count' },
  },
  /**
   * A sign-in without the cookie of a known device, of a user with sign-in alerts; up to one in ten minutes. `network`:
   * of the client, as CIDR; null: unknown. `program`: such as `Firefox`; empty: unknown. `language`: of the request;
   * null: unknown.
   */
  'user.new_device': {
    to: ['operator', 'account'],
    about: 'user',
    data: { userId: 'id', network: 'text|null', program: 'text', language: 'text|null' },
  },
  'token.created': {
    to: ['operator'],
    about: 'user',
    data: { tokenId: 'id', userId: 'id', expiresAt: 'time' },
    audit: 'each',
  },
  'token.deleted': { to: ['operator'], about: 'user', data: { tokenId: 'id', userId: 'id' }, audit: 'each' },
} as const satisfies Record<string, Fact>

/** Only listeners in the same process get them. They are never stored. */
const PROCESS_FACTS = {
  /** A request was refused. `rule`: the name of the rate limit, such as `secret-create`. */
  'limit.reached': { to: ['listener'], data: { rule: 'text' }, audit: 'counted' },
  /** A sign-in failed. `provider`: `password`, or the id of the provider whose sign-in page was used. */
  'session.refused': { to: ['listener'], data: { provider: 'text' }, audit: 'counted' },
  /** `route`: the pattern of the route, never the path, or `page`. `ms`: until the response began. */
  'http.answered': { to: ['listener'], data: { method: 'text', route: 'text', status: 'count', ms: 'count' } },
  /** `secrets`: number of deleted secrets. */
  'cleanup.finished': { to: ['listener'], data: { secrets: 'count', ms: 'count' } },
} as const satisfies Record<string, Fact>

const AUDITED_FACTS = {
  'account.changed': EACH,
  'account.forgot_devices': EACH,
  'account.linked': EACH,
  'account.unlinked': EACH,
  'account.locked_out': EACH,
  'account.reset': EACH,
  'account.verified': COUNTED,
  'audit.dropped': EACH,
  'database.restored': EACH,
  'device.approved': EACH,
  'device.denied': EACH,
  'factor.added': EACH,
  /** The counter of a passkey did not increase, so there may be a copy of it. */
  'factor.copied': COUNTED,
  'factor.removed': EACH,
  /** New recovery codes replaced the old ones. */
  'factor.renewed_recovery_codes': EACH,
  'factor.used_recovery_code': EACH,
  'instance.started': EACH,
  'request.cross_site': COUNTED,
  'request.wrong_host': COUNTED,
  'schema.migrated': EACH,
  'session.ended': EACH,
  'session.opened': EACH,
  'session.refreshed': EACH,
  'session.reused': EACH,
  'session.second_step_refused': COUNTED,
  'settings.changed': EACH,
  'setup.finished': EACH,
  'setup.refused': COUNTED,
  'token.refused': COUNTED,
  'token.used': EACH,
  'upload.refused': COUNTED,
  'user.changed': EACH,
  'user.access_revoked': EACH,
  'user.factors_reset': EACH,
  'user.locked_out': EACH,
  'user.role_kept': COUNTED,
  'user.verified': EACH,
  'webhook.changed': EACH,
  'webhook.created': EACH,
  'webhook.deleted': EACH,
  'webhook.rotated': EACH,
} as const satisfies Record<string, Fact>

export const FACTS = { ...SECRET_FACTS, ...REQUEST_FACTS, ...USER_FACTS, ...PROCESS_FACTS, ...AUDITED_FACTS } as const

type Facts = typeof FACTS
type FactName = keyof Facts
type ValueOf<F> = F extends readonly (infer Word)[] ? Word : F extends keyof FieldTypes ? FieldTypes[F] : never

/** Names of the facts that a receiver may subscribe to. */
export type FactNameFor<R extends Receiver> = {
  [Name in FactName]: Facts[Name] extends { to: readonly (infer To)[] } ? (R extends To ? Name : never) : never
}[FactName]

/** Data of a fact. */
export type FactData<Name extends FactName> = Facts[Name] extends { data: infer Data extends Record<string, Field> }
  ? { -readonly [Key in keyof Data]: ValueOf<Data[Key]> }
  : Record<string, never>

/** A fact that a receiver may subscribe to. */
export type FactFor<R extends Receiver> = {
  [Name in FactNameFor<R>]: { name: Name; data: FactData<Name> }
}[FactNameFor<R>]

/** Actions of the audit log, as `noun.verb`. */
export type AuditAction = {
  [Name in FactName]: Facts[Name] extends { audit: string } ? Name : never
}[FactName]

/** Names of the facts that a receiver may subscribe to, in the order of the catalog. */
export function listFacts<R extends Receiver>(receiver: R): FactNameFor<R>[] {
  const all: [string, Fact][] = Object.entries(FACTS)
  return all.flatMap(([name, { to }]) => (to?.includes(receiver) ? [name as FactNameFor<R>] : []))
}

/** The row of a fact; undefined for an unknown name. */
export const findFact = (name: string): Fact | undefined =>
  Object.hasOwn(FACTS, name) ? (FACTS as Record<string, Fact>)[name] : undefined

export const isListenedTo = (name: string): name is FactNameFor<'listener'> =>
  findFact(name)?.to?.includes('listener') ?? false

/** Whether the audit log has a fact, and how. Undefined: without an entry. */
export const auditLevel = (name: string): Fact['audit'] => findFact(name)?.audit

/** Actions of the audit log. */
export function listAuditActions(): AuditAction[] {
  return Object.keys(FACTS).filter((name): name is AuditAction => auditLevel(name) !== undefined)
}

/** Subject of a durable event, such as `secret:ID`. Events of one subject are delivered in order. */
export function subjectOf({ name, data }: FactFor<'operator'>): string {
  const { about } = FACTS[name]
  return `${about}:${(data as Record<string, unknown>)[`${about}Id`]}`
}
