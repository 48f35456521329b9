/** Decrypts a viewed secret. */
import type { ViewedSecret } from '#shared/api'
import { type AttachedFile, attachedFiles } from '#shared/client/attached-files'
import type { TamperWarning } from '#shared/crypto/encrypt-secret'
import { cryptoWorker } from '../../crypto-worker/crypto-client.js'
import { sanitizeName } from '../../lib/format.js'

/** `text` is null when the bytes are not UTF-8. */
export interface RevealedSecret {
  id: string
  title: string
  text: string | null
  bytes: Uint8Array<ArrayBuffer>
  files: AttachedFile[]
  /** Null: not limited. */
  viewsLeft: number | null
  expiresAt: number
  warnings: TamperWarning[]
  /** The proof for a burn request; null when this recipient cannot burn the secret. */
  burnProof: { access?: string } | null
}

/** The proofs for a view request, and what decrypts its response (null: it is not encrypted). */
interface ViewKeys {
  proofs: { access?: string; password?: string }
  passphrase: string | null
}

/**
 * Decides by the key, never by `kind` alone: without `fragment`, a sealed secret is rejected with LinkError. Takes
 * about half a second when there is a password.
 */
export async function deriveViewKeys(
  kind: ViewedSecret['kind'],
  fragment: string,
  password: string,
): Promise<ViewKeys> {
  if (fragment === '' && kind !== 'sealed') return { proofs: password ? { password } : {}, passphrase: null }
  const { access, passwordProof, passphrase } = await cryptoWorker.keys(fragment, password)
  return { proofs: { access, ...(passwordProof && { password: passwordProof }) }, passphrase }
}

/** Throws a JobError named DecryptError when decryption fails. */
export async function decryptView(
  viewed: ViewedSecret,
  { proofs, passphrase }: ViewKeys,
  maxTextBytes: number,
): Promise<RevealedSecret> {
  const { title, text, bytes, files, warnings } =
    passphrase === null ? readUnencrypted(viewed) : await cryptoWorker.open(viewed, passphrase, maxTextBytes)
  const { access } = proofs
  const mayBurn = access !== undefined || viewed.kind === 'raw'
  return {
    id: viewed.id,
    title: sanitizeName(title),
    text,
    bytes,
    files,
    viewsLeft: viewed.maxViews,
    expiresAt: viewed.expiresAt,
    warnings,
    burnProof: mayBurn && viewed.maxViews !== 0 ? { ...(access && { access }) } : null,
  }
}

function readUnencrypted(viewed: ViewedSecret) {
  const { title, text } = viewed
  const files = attachedFiles(viewed, null)
  return { title: title ?? '', text, bytes: new TextEncoder().encode(text), files, warnings: [] }
}
