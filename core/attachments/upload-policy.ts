/**
 * Who may upload files. Checked when an upload begins and when a secret binds it; single parts only need the upload
 * token.
 */
import type { App } from '../app.js'
import type { AuthContext } from '../contracts/auth-context.js'
import { AppError, type ErrorCode } from '../lib/errors.js'
import type { CurrentSettings } from '../settings/create-settings.js'
import { findCreateRefusal, findEmailRefusal } from '../settings/creation-rules.js'
import type { StartupConfig } from '../settings/startup-config.js'
import type { Files } from './files.js'

/**
 * Throws AppError `settings.uploads_disabled`, `file.visitors_refused`, `auth.email_unverified`, or an error of
 * `assertCanCreate`.
 */
export async function assertCanUpload(app: App, caller: AuthContext): Promise<void> {
  const refusal = await findRefusal(app, caller)
  if (refusal) throw new AppError(refusal)
}

export async function canUpload(app: App, caller: AuthContext): Promise<boolean> {
  return (await findRefusal(app, caller)) === null
}

/** Bytes that the open uploads of an API token may reserve. */
export interface TokenQuota {
  /** Id of the token. */
  id: string
  /** All open uploads together. */
  bytes: number
}

/**
 * A secret charges the caller's API token when it is created. Uploads beyond the remaining quota could never become
 * part of a secret, so they reserve it. Null: the caller has no token, or a token without a limit of bytes. Throws
 * AppError `token.used_up` if the token creates no more secrets.
 */
export async function loadTokenQuota({ storage, now }: App, { tokenId }: AuthContext): Promise<TokenQuota | null> {
  const found = tokenId === null ? null : await storage.tokens.find(tokenId, now())
  if (!found) return null
  const { id, secretsLeft, bytesLeft } = found.token
  if (secretsLeft === 0) throw new AppError('token.used_up')
  return bytesLeft === null ? null : { id, bytes: bytesLeft }
}

/** Returns the file store. Throws AppError `settings.uploads_disabled`. */
export async function openFileStore({ files, config, settings }: App): Promise<Files> {
  if (!files || !isUploadEnabled(config, await settings.current())) throw new AppError('settings.uploads_disabled')
  return files
}

async function findRefusal({ files, config, settings }: App, caller: AuthContext): Promise<ErrorCode | null> {
  const current = await settings.current()
  if (!files || !isUploadEnabled(config, current)) return 'settings.uploads_disabled'
  const refusal = findCreateRefusal(caller, current)
  if (refusal) return refusal
  if (config.visitorUploads) return null
  return caller.userId === null ? 'file.visitors_refused' : findEmailRefusal(caller, current)
}

const isUploadEnabled = ({ maxFiles }: StartupConfig, { disable_file_upload }: CurrentSettings): boolean =>
  maxFiles > 0 && !disable_file_upload
