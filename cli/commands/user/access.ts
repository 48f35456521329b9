/** `mayfly user access`, `revoke` and `lock-out`: what can act as a user, and how to end it. */
import type { Access, Keep } from '#shared/api'
import { type AdminFlags, withAdministration } from '../../instance/with-administration.js'
import { CliError } from '../../lib/cli-error.js'
import { formatTime } from '../../output/format-expiry.js'
import type { Io } from '../../output/io.js'
import { formatList, type ListFlags } from '../../output/table.js'
import type { GlobalFlags } from '../command.js'
import { parseUsername } from './account-input.js'

export interface KeepFlags {
  except?: string
}

export type UserAccessFlags = AdminFlags & ListFlags
export type UserLockOutFlags = AdminFlags & KeepFlags

const KINDS = ['session', 'token', 'identity', 'webhook', 'factor'] as const
type Kind = (typeof KINDS)[number]

export async function listAccess(words: string[], flags: UserAccessFlags & GlobalFlags, io: Io): Promise<void> {
  const username = parseUsername(words)
  await withAdministration(flags, io, async (administration) => {
    const rows = toRows(await administration.listAccess(username))
    await io.write(formatList(rows, ['id', 'name', 'created_at', 'used_at'], flags, io))
  })
}

export async function revokeAccess([name, ref, ...more]: string[], flags: AdminFlags & GlobalFlags, io: Io) {
  if (name === undefined || ref === undefined || more.length > 0) {
    throw new CliError('usage', 'missing argument: user name and id', 'see mayfly user access NAME')
  }
  const username = parseUsername([name])
  const { kind, id } = parseRef(ref)
  await withAdministration(flags, io, async (administration) => {
    await administration.revokeAccess({ username, kind, id })
    if (flags.json) await io.writeJson({ username, revoked: ref })
    io.note(`ended ${ref} of ${username}`)
  })
}

export async function lockOut(words: string[], flags: UserLockOutFlags & GlobalFlags, io: Io): Promise<void> {
  const username = parseUsername(words)
  const keep = parseKeep(flags.except)
  await withAdministration(flags, io, async (administration) => {
    const { hasPassword } = await administration.lockOut({ username, keep })
    if (flags.json) await io.writeJson({ username, locked_out: true })
    io.note(`locked everyone out of ${username}`)
    if (hasPassword) io.warn('the password still works: set another one with mayfly user passwd')
  })
}

/** `list`: ids of `user access`, separated by commas. Throws CliError `usage`. */
export function parseKeep(list = ''): Keep {
  const refs = list.split(',').filter(Boolean).map(parseRef)
  const idsOf = (kind: Kind) => refs.filter((ref) => ref.kind === kind).map(({ id }) => id)
  if (idsOf('session').length > 0) throw new CliError('usage', '--except: a session cannot be kept')
  return { tokens: idsOf('token'), identities: idsOf('identity'), webhooks: idsOf('webhook'), factors: idsOf('factor') }
}

function parseRef(ref: string): { kind: Kind; id: string } {
  const [word, id = ''] = ref.split(':')
  const kind = KINDS.find((each) => each === word)
  if (kind === undefined || !/^[A-Za-z0-9_-]{1,64}$/.test(id)) {
    throw new CliError('usage', 'invalid id', 'ids are such as token:0a1b2c3d, see mayfly user access NAME')
  }
  return { kind, id }
}

function toRows({ sessions, tokens, identities, webhooks, factors }: Access) {
  const row = (kind: Kind, id: string, name: string, createdAt: number | null, usedAt: number | null) => ({
    id: `${kind}:${id}`,
    name,
    created_at: formatTime(createdAt),
    used_at: formatTime(usedAt),
  })
  return [
    ...sessions.map(({ id, client, createdAt, seenAt }) => row('session', id, client, createdAt, seenAt)),
    ...tokens.map(({ id, name, createdAt, usedAt }) => row('token', id, name, createdAt, usedAt)),
    ...identities.map(({ id, provider, createdAt }) => row('identity', id, provider, createdAt, null)),
    ...webhooks.map(({ id, name, host, createdAt }) => row('webhook', id, `${name} (${host})`, createdAt, null)),
    ...factors.map(({ id, kind, name, createdAt, usedAt }) => row('factor', id, name || kind, createdAt, usedAt)),
  ]
}
