/** Who may upload files. Checked when an upload begins and when a secret binds it; single parts only need the upload token. */
import type { AuthContext } from '../contracts/auth-context.js'
import type { FileStore } from '../contracts/file-store.js'
import { AppError, type ErrorCode } from '../lib/errors.js'
import { type CurrentSettings, findCreateRefusal, findEmailRefusal } from '../settings/settings-service.js'
import type { AttachmentDeps } from './attachment-deps.js'

type PolicyDeps = Pick<AttachmentDeps, 'files' | 'instance' | 'settings'>

/** Throws AppError `settings.uploads_disabled`, `file.visitors_refused`, `auth.email_unverified`, or what `assertCanCreate` throws. */
export async function assertCanUpload(deps: PolicyDeps, caller: AuthContext): Promise<void> {
  const refusal = await findRefusal(deps, caller)
  if (refusal) throw new AppError(refusal)
}

export async function canUpload(deps: PolicyDeps, caller: AuthContext): Promise<boolean> {
  return (await findRefusal(deps, caller)) === null
}

/**
 * A secret charges the caller's API token when it is created. An upload without enough quota left could never become part of
 * one. Throws AppError `token.used_up`.
 */
export async function assertTokenHasQuota(
  { tokens, now }: Pick<AttachmentDeps, 'tokens' | 'now'>,
  bytes: number,
  { tokenId }: AuthContext,
): Promise<void> {
  const found = tokenId === null ? null : await tokens.find(tokenId, now())
  if (!found) return
  const { secretsLeft, bytesLeft } = found.token
  if (secretsLeft === 0 || (bytesLeft !== null && bytes > bytesLeft)) throw new AppError('token.used_up')
}

/** Returns the file store. Throws AppError `settings.uploads_disabled`. */
export async function openFileStore({ files, instance, settings }: PolicyDeps): Promise<FileStore> {
  if (!files || !isUploadEnabled(settings, await instance.current())) throw new AppError('settings.uploads_disabled')
  return files
}

async function findRefusal({ files, instance, settings }: PolicyDeps, caller: AuthContext): Promise<ErrorCode | null> {
  const current = await instance.current()
  if (!files || !isUploadEnabled(settings, current)) return 'settings.uploads_disabled'
  const refusal = findCreateRefusal(caller, current)
  if (refusal) return refusal
  if (settings.visitorUploads) return null
  return caller.userId === null ? 'file.visitors_refused' : findEmailRefusal(caller, current)
}

const isUploadEnabled = ({ maxFiles }: PolicyDeps['settings'], { disable_file_upload }: CurrentSettings): boolean =>
  maxFiles > 0 && !disable_file_upload
