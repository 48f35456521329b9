/** The product's rules: create, look, view, acknowledge, burn, list. Every way in, HTTP or not, comes through here. */

import type { TokensService } from '../accounts/tokens.js'
import type { DownloadsService } from '../attachments/downloads.js'
import type { AttachmentsService } from '../attachments/service.js'
import type { AuditAction } from '../audit/actions.js'
import { shownId } from '../audit/secrets.js'
import type { AuthContext } from '../caller.js'
import type { Audit } from '../contracts/audit.js'
import type { PublicSecret, SecretMeta, SecretStore } from '../contracts/storage.js'
import { AppError, isAppError } from '../errors.js'
import type { Emit } from '../events.js'
import { verifyPassword } from '../passwords.js'
import { assertCanCreate, type SettingsService } from '../settings/service.js'
import type {
  BurnSecret,
  CreatedSecret,
  CreateSecret,
  OwnSecret,
  Page,
  SecretExists,
  ViewedSecret,
} from '../shared/api.js'
import { Username } from '../shared/api.js'
import { newClaim, storedProof } from '../shared/keys.js'
import { PASSWORD_ATTEMPTS } from '../shared/limits.js'
import { hasProof, mayReach, type Reach, reachOf } from './access.js'
import { checkLimits, prepare } from './prepare.js'
import type { PublicLists } from './public-lists.js'
import { openRaw } from './raw.js'
import { replayKey, unwrapAnswer, wrapAnswer } from './replay.js'
import type { SecretsSettings } from './settings.js'

/** First lock after too many wrong passwords; each further one is twice as long. */
const LOCK_MS = 15 * 60_000

interface Parts {
  store: SecretStore
  instance: SettingsService
  attachments: AttachmentsService
  downloads: DownloadsService
  lists: PublicLists
  tokens: Pick<TokensService, 'spending'>
  settings: SecretsSettings
  emit: Emit
  audit: Audit
  /** Epoch ms. */
  now: () => number
  /** Called after a delete. */
  tidyUp: (deleted: { hasFiles: boolean }) => void
}

/** What a caller sends to see a secret. Without a claim (a plain GET) no retry is possible. */
interface ViewRequest {
  access?: string | undefined
  password?: string | undefined
  claim?: string | undefined
}

export type SecretsService = ReturnType<typeof secretsService>

export function secretsService({ store, attachments, downloads, lists, tokens, ...parts }: Parts) {
  const { instance, settings, emit, audit, now, tidyUp } = parts

  const noteOf = (action: AuditAction, { id }: SecretMeta, caller: AuthContext) =>
    audit({ action, caller, subject: shownId(id) })

  /** The secret that the caller may reach; one and the same error for everything else. */
  async function reached(reach: Reach, caller: AuthContext, claimHash?: string): Promise<SecretMeta> {
    const meta = await store.peek(reach.lookup, now(), claimHash)
    if (meta && mayReach(meta, reach, caller.address)) return meta
    // With the link, but from somewhere else.
    if (meta && mayReach({ ...meta, allowedIp: null }, reach, caller.address))
      await noteOf('secret.address_refused', meta, caller)
    throw new AppError('secret.not_found')
  }

  async function checkPassword(meta: SecretMeta, password: string | undefined, caller: AuthContext): Promise<void> {
    if (meta.passwordHash === null) return
    if (meta.lockedUntil > now()) throw locked(meta.lockedUntil, now())
    if (password === undefined)
      throw new AppError('secret.password_required', { attemptsLeft: PASSWORD_ATTEMPTS - meta.failures })
    const right =
      meta.kind === 'sealed' ? hasProof(meta.passwordHash, password) : await verifyPassword(meta.passwordHash, password)
    if (right) return
    const counted = await store.passwordFailed(meta.id, now(), LOCK_MS)
    if (!counted) throw new AppError('secret.not_found')
    // Others were wrong ten times meanwhile: this one was not counted, and is not told what it was.
    if (!counted.counted) throw locked(counted.lockedUntil, now())
    await noteOf(counted.attemptsLeft === 0 ? 'secret.locked' : 'secret.password_wrong', meta, caller)
    throw new AppError('secret.password_wrong', { attemptsLeft: counted.attemptsLeft })
  }

  async function create(body: CreateSecret, caller: AuthContext, idempotencyKey?: string): Promise<CreatedSecret> {
    assertCanCreate(caller, await instance.current())
    checkLimits(body, caller, settings)
    const key = idempotencyKey && replayKey(caller.userId ?? caller.address ?? '', idempotencyKey, body)
    // Before it costs anything: a token for one secret has been spent by the first time.
    const known = key ? await store.replay(key.keyHash, now()) : null
    if (key && known !== null) return unwrapAnswer(key, known)
    const uploaded = await attachments.bindings(body.files, caller)
    const { secret, answer, inline } = await prepare(body, caller, settings.publicUrl, now())
    const replay = key ? wrapAnswer(key, answer, now()) : undefined
    const make = async () => {
      await attachments.chargeText(Buffer.byteLength(secret.text), caller)
      const kept = await attachments.keep(inline, caller)
      const earlier = await store.create(secret, now(), replay, [...uploaded, ...kept]).catch((error) => {
        // Ids are random, so it is the owner: their account was deleted a moment ago.
        throw isAppError(error, 'storage.conflict') && caller.userId ? new AppError('auth.required') : error
      })
      if (earlier !== null) await attachments.drop(kept)
      return earlier
    }
    const size = async () => Buffer.byteLength(secret.text) + (await attachments.sizeOf(uploaded, inline))
    const earlier = await tokens.spending(caller, size, make, (stored) => stored === null)
    if (key && earlier !== null) return unwrapAnswer(key, earlier)
    const { id, ownerId, expiresAt, kind, files } = secret
    if (kind === 'public') lists.invalidate()
    const has = { hasPassword: secret.passwordHash !== null, hasAllowedIp: secret.allowedIp !== null }
    await emit('secret:created', { id, ownerId, expiresAt, kind, files, ...has }, caller)
    return answer
  }

  async function exist(id: string, access: string | undefined, caller: AuthContext): Promise<SecretExists> {
    const meta = await reached(reachOf(id, access), caller)
    const { kind, expiresAt } = meta
    return {
      id,
      maxViews: viewsLeft(meta),
      passwordRequired: meta.passwordHash !== null,
      expiresAt,
      files: meta.files,
      kind,
    }
  }

  async function view(id: string, request: ViewRequest, caller: AuthContext): Promise<ViewedSecret> {
    const reach = reachOf(id, request.access)
    const claim = request.claim ?? newClaim()
    const claimHash = storedProof(claim)
    const graceMs = request.claim ? settings.readGraceSeconds * 1000 : 0
    const meta = await reached(reach, caller, claimHash)
    await checkPassword(meta, request.password, caller)
    const secret = await store.view(reach.lookup, claimHash, now(), graceMs)
    // Others were faster: they took the last view, or locked it with wrong passwords.
    if (!secret) throw await lostRace(reach.lookup, claimHash)
    const left = viewsLeft(secret)
    if (secret.counted) {
      if (left === 0 && meta.kind === 'public') lists.invalidate()
      const { views, createdAt } = secret
      await emit('secret:viewed', { id: secret.id, viewsLeft: left, views, age: now() - createdAt }, caller)
      if (left === 0) await emit('secret:burned', { id: secret.id, reason: 'last-view' }, caller)
    }
    const tickets = await downloads.open(secret, claim, left === 0)
    if (graceMs === 0 && left === 0) await destroy(secret, claimHash)
    const { text, title, files } = reach.rawKey
      ? await openRaw(secret, reach.rawKey, tickets)
      : { ...secret, files: tickets }
    const { kind, preventBurn, expiresAt } = secret
    const isPublic = kind === 'public'
    return { id, kind, text, title, files, maxViews: left, preventBurn, isPublic, expiresAt }
  }

  async function lostRace(lookup: string, claimHash: string): Promise<AppError> {
    const meta = await store.peek(lookup, now(), claimHash)
    return meta && meta.lockedUntil > now() ? locked(meta.lockedUntil, now()) : new AppError('secret.not_found')
  }

  async function ack(
    id: string,
    { access, claim }: { access?: string | undefined; claim: string },
    caller: AuthContext,
  ) {
    const claimHash = storedProof(claim)
    const meta = await reached(reachOf(id, access), caller, claimHash)
    await destroy(meta, claimHash)
  }

  async function destroy({ id }: SecretMeta, claimHash: string): Promise<void> {
    if (await store.ack(id, claimHash, now())) tidyUp({ hasFiles: false })
  }

  async function burn(id: string, { burnToken, access }: BurnSecret, caller: AuthContext): Promise<void> {
    const reach = reachOf(id, access)
    const meta = await store.peek(reach.lookup, now())
    if (!meta || !mayBurn(meta, reach, caller, burnToken)) throw new AppError('secret.not_found')
    if (!(await store.burn(meta.id, now()))) throw new AppError('secret.not_found')
    if (meta.kind === 'public') lists.invalidate()
    tidyUp({ hasFiles: meta.files > 0 })
    await emit('secret:burned', { id: meta.id, reason: 'request' }, caller)
  }

  async function listPublic(page: Page, name?: string): Promise<PublicSecret[]> {
    if (name === undefined) return lists.list({}, page)
    const username = Username.safeParse(name).data
    // Nobody can have that name. Not every engine can be asked about every text.
    return username === undefined ? [] : lists.list({ username }, page)
  }

  /** What the caller has made and is still there. Of a raw secret the first half of the id: the key is kept nowhere. */
  async function listOwn(page: Page, { userId }: AuthContext): Promise<OwnSecret[]> {
    const own = userId === null ? [] : await store.listByOwner(userId, page, now())
    return own.map((meta) => ({
      ...meta,
      maxViews: viewsLeft(meta),
      passwordRequired: meta.passwordHash !== null,
      isPublic: meta.kind === 'public',
    }))
  }

  return { create, exist, view, ack, burn, listPublic, listOwn }
}

/** What a visitor made is nobody's, and a visitor is not nobody. */
const isOwner = ({ ownerId }: SecretMeta, { userId }: AuthContext): boolean => ownerId !== null && ownerId === userId

/** Views that are left; null when they are not limited. */
function viewsLeft({ maxViews, views, preventBurn }: SecretMeta): number | null {
  return maxViews === null || preventBurn ? null : Math.max(0, maxViews - views)
}

function mayBurn(meta: SecretMeta, reach: Reach, caller: AuthContext, burnToken: string | undefined): boolean {
  if (burnToken !== undefined && hasProof(meta.burnHash, burnToken)) return true
  if (isOwner(meta, caller) && caller.scopes.includes('account')) return true
  if (caller.scopes.includes('admin')) return true
  // A public secret asks for no proof to be read, so reading it is no right to destroy it.
  return meta.accessHash !== null && mayReach(meta, reach, caller.address)
}

function locked(until: number, now: number): AppError {
  return new AppError('secret.locked', { retryAfter: Math.max(1, Math.ceil((until - now) / 1000)) })
}
