/** `mayfly user token`. */

import type { Scope } from '#core'
import { type AuthContext, createToken, deleteToken, LOCAL_CLI, listTokens, toAuthContext } from '#core/runtime'
import { CreateToken, type Token } from '#shared/api'
import type { Administration } from '../../instance/administration.js'
import { type LocalApp, withLocalApp } from '../../instance/local-app.js'
import { type AdminFlags, assertLocal, withAdministration } from '../../instance/with-administration.js'
import { CliError } from '../../lib/cli-error.js'
import { omitUndefined } from '../../lib/omit-undefined.js'
import { parseDuration } from '../../output/duration.js'
import { formatTime } from '../../output/format-expiry.js'
import type { Io } from '../../output/io.js'
import { formatCount } from '../../output/sanitize.js'
import { formatList } from '../../output/table.js'
import type { GlobalFlags } from '../command.js'
import { parseInput, parseUsername } from './account-input.js'

export interface UserTokenFlags extends AdminFlags {
  name: string
  ttl?: string
  scopes?: string
  maxSecrets?: string
  maxBytes?: string
  allowIp?: string
  rotate?: true
  revoke?: true
  list?: true
}

type Flags = UserTokenFlags & GlobalFlags

export async function userToken(words: string[], flags: Flags, io: Io): Promise<void> {
  const username = parseUsername(words)
  const [one, other] = (['rotate', 'revoke', 'list'] as const).filter((name) => flags[name])
  if (one && other) throw new CliError('usage', `--${one} and --${other} exclude each other`)
  const wanted = parseInput(CreateToken, buildTokenRequest(flags))
  if (flags.list || flags.revoke) {
    const act = flags.list ? writeTokens : revokeTokens
    return withAdministration(flags, io, (administration) => act(administration, username, flags, io))
  }
  assertLocal(flags, 'tokens of users are created')
  await withLocalApp(flags, io, async (app) => {
    const caller = await createContextOf(app, username)
    const old = (await listTokens(app, caller)).filter(({ name }) => name === wanted.name)
    const { token, id, expiresAt } = await createToken(app, wanted, caller)
    if (flags.rotate) for (const { id } of old) await deleteToken(app, id, caller)
    io.note(`token for ${username}, until ${formatTime(expiresAt)}${flags.rotate ? '; the old one is revoked' : ''}`)
    await io.writeResult(flags, { username, id, token, expires_at: formatTime(expiresAt) }, `${token}\n`)
  })
}

async function writeTokens(administration: Administration, username: string, flags: Flags, io: Io): Promise<void> {
  await io.write(formatTokens(await administration.listTokens(username), flags, io))
}

/** Revokes the tokens with the name of `--name`. */
async function revokeTokens(administration: Administration, username: string, flags: Flags, io: Io): Promise<void> {
  const revoked = (await administration.listTokens(username)).filter(({ name }) => name === flags.name)
  for (const { id } of revoked) await administration.deleteToken(username, id)
  if (flags.json) await io.writeJson({ username, revoked: revoked.map(({ id }) => id) })
  io.note(`revoked ${formatCount(revoked.length, 'token')} of ${username}`)
}

function formatTokens(tokens: Token[], flags: Flags, io: Io): string {
  const rows = tokens.map(({ id, name, scopes, createdAt, usedAt, expiresAt }) => ({
    id,
    name,
    scopes: scopes.join(','),
    created_at: formatTime(createdAt),
    used_at: formatTime(usedAt),
    expires_at: formatTime(expiresAt),
  }))
  return formatList(rows, ['id', 'name', 'scopes', 'used_at', 'expires_at'], flags, io)
}

/** Returns a context with the permissions of the user. The audit log records the local CLI as the actor. */
async function createContextOf({ storage }: LocalApp, username: string): Promise<AuthContext> {
  const user = await storage.users.find(username)
  if (!user) throw new CliError('gone', 'user not found')
  return { ...toAuthContext(user, { address: null }), username: LOCAL_CLI.username }
}

function buildTokenRequest({ name, ttl, scopes, maxSecrets, maxBytes, allowIp }: Flags): CreateToken {
  const toNumber = (text: string | undefined) => (text === undefined ? undefined : Number(text))
  const wanted = {
    expiresAt: ttl === undefined ? undefined : Date.now() + parseDuration('--ttl', ttl) * 1000,
    scopes: scopes?.split(',').map((scope) => scope.trim()) as Scope[] | undefined,
    maxSecrets: toNumber(maxSecrets),
    maxBytes: toNumber(maxBytes),
    allowedIp: allowIp,
  }
  return { name, ...omitUndefined(wanted) }
}
