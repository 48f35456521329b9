/** Enforces the policy of a caller when secrets, requests and uploads are created. */
import type { App } from '../app.js'
import { type AuthContext, anonymous, toAuthContext } from '../contracts/auth-context.js'
import { type AppError, fieldError } from '../lib/errors.js'
import type { CreateSecret } from '../shared/api/index.js'
import { encryptedFileLength } from '../shared/crypto/encrypted-sizes.js'
import { allowsLifetime } from '../shared/lifetimes.js'
import { formatPolicyValue, type PolicyColumn } from '../shared/policies.js'
import { type PolicyHolder, type ResolvedPolicy, resolvePolicy } from './resolve-policy.js'

/** Throws AppError `settings.policy` with the field of the request. */
export async function assertSecretFollowsPolicy(app: App, body: CreateSecret, caller: AuthContext): Promise<void> {
  const policy = await loadPolicy(app, caller)
  const { ttl, maxViews, preventBurn, isPublic, password, allowedIp, recipients, files = [] } = body
  if (!policy.mayCreate.value) throw refuse(policy, 'mayCreate', 'mayCreate')
  assertLifetime(policy, ttl)
  if (isSet(policy.maxViews)) {
    if (preventBurn) throw refuse(policy, 'maxViews', 'preventBurn')
    const views = maxViews ?? (isPublic ? Number.POSITIVE_INFINITY : (recipients?.length ?? 1))
    if (views > policy.maxViews.value) throw refuse(policy, 'maxViews', 'maxViews')
  }
  if (policy.password.value === 'required' && password === undefined) throw refuse(policy, 'password', 'password')
  if (policy.requireAddress.value && allowedIp === undefined) throw refuse(policy, 'requireAddress', 'allowedIp')
  if (files.length > 0) assertFiles(policy, files.flatMap(inlineSize), 'files')
}

/** Throws AppError `settings.policy` with the field of the request. */
export async function assertRequestFollowsPolicy(
  app: App,
  { ttl, allowFiles, allowedIp }: { ttl: number; allowFiles: boolean; allowedIp?: string | undefined },
  caller: AuthContext,
): Promise<void> {
  const policy = await loadPolicy(app, caller)
  if (!policy.mayRequest.value) throw refuse(policy, 'mayRequest', 'mayRequest')
  assertLifetime(policy, ttl)
  if (policy.requireAddress.value && allowedIp === undefined) throw refuse(policy, 'requireAddress', 'allowedIp')
  if (allowFiles) assertFiles(policy, [], 'allowFiles')
}

/**
 * The defaults of a caller must be allowed when they are set. Throws AppError `settings.policy` or `request.invalid`.
 */
export async function assertDefaultsFollowPolicy(
  app: App,
  { ttl, views }: { ttl?: number | null | undefined; views?: number | null | undefined },
  caller: AuthContext,
): Promise<void> {
  const policy = await loadPolicy(app, caller)
  if (ttl != null) {
    assertLifetime(policy, ttl)
    if (!allowsLifetime(policy.lifetimes.value, ttl)) {
      throw fieldError('ttl', `must be within ${formatPolicyValue('lifetimes', policy.lifetimes.value)}`)
    }
  }
  if (views != null && views > policy.maxViews.value) throw refuse(policy, 'maxViews', 'views')
}

/**
 * For an upload that a secret of the caller will have. `size`: of the encrypted file. Throws AppError `settings.policy`
 * with the field `size`.
 */
export async function assertUploadFollowsPolicy(app: App, size: number, caller: AuthContext): Promise<void> {
  const policy = await loadPolicy(app, caller)
  if (!policy.mayCreate.value) throw refuse(policy, 'mayCreate', 'mayCreate')
  assertEncryptedFile(policy, size)
}

/**
 * For an upload of a submission: it counts as an upload of the owner of the request. Throws AppError `settings.policy`.
 */
export async function assertSubmittedFileFollowsPolicy(app: App, size: number, ownerId: string | null): Promise<void> {
  const max = await loadSubmittedFileMax(app, ownerId)
  if (isSet(max) && size > encryptedFileLength(max.value)) throw refuse({ maxFileBytes: max }, 'maxFileBytes', 'size')
}

/** Maximum size of a file, before encryption, in a submission to a request of this owner. */
export async function loadSubmittedFileMax(app: App, ownerId: string | null): Promise<ResolvedPolicy['maxFileBytes']> {
  const { policies } = await app.settings.current()
  const ofConfig = { value: app.config.maxFileBytes, from: [] }
  // Instances without such a policy skip the read.
  if (!Object.values(policies).some((row) => row?.maxFileBytes !== undefined)) return ofConfig
  const owner = ownerId === null ? null : await app.storage.users.get(ownerId)
  if (ownerId !== null && owner === null) return ofConfig
  const policy = await loadPolicy(app, owner ? toAuthContext(owner, { address: null }) : anonymous(null))
  return policy.maxFileBytes
}

async function loadPolicy({ settings, config }: App, holder: PolicyHolder): Promise<ResolvedPolicy> {
  return resolvePolicy(holder, await settings.current(), config)
}

/** Limits of the configuration have their own errors. */
const isSet = ({ from }: ResolvedPolicy[PolicyColumn]): boolean => from.length > 0

function assertLifetime(policy: ResolvedPolicy, ttl: number): void {
  if (isSet(policy.lifetimes) && !allowsLifetime(policy.lifetimes.value, ttl)) throw refuse(policy, 'lifetimes', 'ttl')
}

function assertEncryptedFile(policy: ResolvedPolicy, size: number): void {
  if (!policy.files.value) throw refuse(policy, 'files', 'size')
  if (isSet(policy.maxFileBytes) && size > encryptedFileLength(policy.maxFileBytes.value)) {
    throw refuse(policy, 'maxFileBytes', 'size')
  }
}

/** `sizes`: before encryption. */
function assertFiles(policy: ResolvedPolicy, sizes: number[], field: string): void {
  if (!policy.files.value) throw refuse(policy, 'files', field)
  if (isSet(policy.maxFileBytes) && sizes.some((size) => size > policy.maxFileBytes.value)) {
    throw refuse(policy, 'maxFileBytes', field)
  }
}

/** Of a file that was sent inside the request. Others were checked when their upload began. */
const inlineSize = (file: object): number[] =>
  'content' in file ? [Buffer.byteLength(String(file.content), 'base64')] : []

type EnforcedColumn = Exclude<PolicyColumn, 'defaultTtl' | 'defaultViews'>

/** Demands on a refused request, by the column that refuses it. */
const DEMANDS: Record<EnforcedColumn, (limit: string) => string> = {
  lifetimes: (limit) => `must be within ${limit}`,
  maxViews: (limit) => `views must be limited to ${limit}`,
  password: () => 'a password is required',
  requireAddress: () => 'an IP address or range is required',
  files: () => 'files are not allowed',
  maxFileBytes: (limit) => `a file must be at most ${limit} before encryption`,
  mayCreate: () => 'creating secrets is not allowed',
  mayRequest: () => 'creating requests is not allowed',
}

/** Names the field, the limit, and the audiences whose policy sets it. */
function refuse<Column extends EnforcedColumn>(
  policy: Pick<ResolvedPolicy, Column>,
  column: Column,
  field: string,
): AppError {
  const { value, from } = policy[column]
  const demand = DEMANDS[column](formatPolicyValue(column, value))
  return fieldError(field, `${demand}, by the policy for ${from.join(', ')}`, 'settings.policy')
}
