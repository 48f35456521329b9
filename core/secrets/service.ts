/** The product's rules: create, look, view, acknowledge, burn, list. Every way in, HTTP or not, comes through here. */
import type { DownloadsService } from '../attachments/downloads.js'
import type { AttachmentsService } from '../attachments/service.js'
import type { Caller } from '../caller.js'
import type { PublicSecret, SecretMeta, SecretStore } from '../contracts/storage.js'
import { AppError } from '../errors.js'
import type { Emit } from '../events.js'
import { verifyPassword } from '../passwords.js'
import type { SettingsService } from '../settings/service.js'
import type { BurnSecret, CreatedSecret, CreateSecret, Page, SecretExists, ViewedSecret } from '../shared/api.js'
import { newClaim, storedProof } from '../shared/keys.js'
import { PASSWORD_ATTEMPTS } from '../shared/limits.js'
import { hasProof, mayReach, type Reach, reachOf } from './access.js'
import { checkLimits, prepare } from './prepare.js'
import { openRaw } from './raw.js'
import { replayKey, unwrapAnswer, wrapAnswer } from './replay.js'

/** First lock after too many wrong passwords; each further one is twice as long. */
const LOCK_MS = 15 * 60_000

/** What the operator decides about secrets. */
export interface SecretsSettings {
  publicUrl: string
  maxTextBytes: number
  ttlMaxAnonymous: number
  readGraceSeconds: number
  maxFiles: number
}

interface Parts {
  store: SecretStore
  instance: SettingsService
  attachments: AttachmentsService
  downloads: DownloadsService
  settings: SecretsSettings
  emit: Emit
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

export function secretsService({ store, attachments, downloads, ...parts }: Parts) {
  const { instance, settings, emit, now, tidyUp } = parts

  /** The secret that the caller may reach; one and the same error for everything else. */
  async function reached(reach: Reach, caller: Caller, claimHash?: string): Promise<SecretMeta> {
    const meta = await store.peek(reach.lookup, now(), claimHash)
    if (!meta || !mayReach(meta, reach, caller.address)) throw new AppError('secret.not_found')
    return meta
  }

  async function checkPassword(meta: SecretMeta, password: string | undefined): Promise<void> {
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
    throw new AppError('secret.password_wrong', { attemptsLeft: counted.attemptsLeft })
  }

  async function create(body: CreateSecret, caller: Caller, idempotencyKey?: string): Promise<CreatedSecret> {
    if ((await instance.current()).read_only) throw new AppError('settings.read_only')
    checkLimits(body, settings)
    const uploaded = await attachments.bindings(body.files, caller)
    const { secret, answer, inline } = await prepare(body, caller, settings.publicUrl, now())
    const kept = await attachments.keep(inline, caller)
    const key = idempotencyKey && replayKey(caller.userId ?? caller.address ?? '', idempotencyKey, body)
    const replay = key ? wrapAnswer(key, answer, now()) : undefined
    const earlier = await store.create(secret, now(), replay, [...uploaded, ...kept])
    if (key && earlier !== null) {
      await attachments.drop(kept)
      return unwrapAnswer(key, earlier)
    }
    await emit('secret:created', { id: secret.id, ownerId: secret.ownerId, expiresAt: secret.expiresAt })
    return answer
  }

  async function exist(id: string, access: string | undefined, caller: Caller): Promise<SecretExists> {
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

  async function view(id: string, request: ViewRequest, caller: Caller): Promise<ViewedSecret> {
    const reach = reachOf(id, request.access)
    const claim = request.claim ?? newClaim()
    const claimHash = storedProof(claim)
    const graceMs = request.claim ? settings.readGraceSeconds * 1000 : 0
    const meta = await reached(reach, caller, claimHash)
    await checkPassword(meta, request.password)
    const secret = await store.view(reach.lookup, claimHash, now(), graceMs)
    // Others were faster: they took the last view, or locked it with wrong passwords.
    if (!secret) throw await lostRace(reach.lookup, claimHash)
    const left = viewsLeft(secret)
    if (secret.counted) {
      await emit('secret:viewed', { id: secret.id, viewsLeft: left })
      if (left === 0) await emit('secret:burned', { id: secret.id, reason: 'last-view' })
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

  async function ack(id: string, { access, claim }: { access?: string | undefined; claim: string }, caller: Caller) {
    const claimHash = storedProof(claim)
    const meta = await reached(reachOf(id, access), caller, claimHash)
    await destroy(meta, claimHash)
  }

  async function destroy({ id }: SecretMeta, claimHash: string): Promise<void> {
    if (await store.ack(id, claimHash, now())) tidyUp({ hasFiles: false })
  }

  async function burn(id: string, { burnToken, access }: BurnSecret, caller: Caller): Promise<void> {
    const reach = reachOf(id, access)
    const meta = await store.peek(reach.lookup, now())
    if (!meta || !mayBurn(meta, reach, caller, burnToken)) throw new AppError('secret.not_found')
    if (!(await store.burn(meta.id, now()))) throw new AppError('secret.not_found')
    tidyUp({ hasFiles: meta.files > 0 })
    await emit('secret:burned', { id: meta.id, reason: 'request' })
  }

  const listPublic = (page: Page, username?: string): Promise<PublicSecret[]> =>
    store.listPublic(username === undefined ? {} : { username: username.toLowerCase() }, page, now())

  return { create, exist, view, ack, burn, listPublic }
}

/** Views that are left; null when they are not limited. */
function viewsLeft({ maxViews, views, preventBurn }: SecretMeta): number | null {
  return maxViews === null || preventBurn ? null : Math.max(0, maxViews - views)
}

function mayBurn(meta: SecretMeta, reach: Reach, caller: Caller, burnToken: string | undefined): boolean {
  if (burnToken !== undefined && hasProof(meta.burnHash, burnToken)) return true
  if (meta.ownerId !== null && meta.ownerId === caller.userId) return true
  // A public secret asks for no proof to be read, so reading it is no right to destroy it.
  return meta.accessHash !== null && mayReach(meta, reach, caller.address)
}

function locked(until: number, now: number): AppError {
  return new AppError('secret.locked', { retryAfter: Math.max(1, Math.ceil((until - now) / 1000)) })
}
