/** Decrypts a viewed secret. */
import type { ViewedSecret } from '#shared/api'
import { readPlainView, toViewProofs } from '#shared/client/viewed-content'
import { cryptoWorker } from '../../crypto-worker/crypto-client.js'
import type { DecryptedSecret } from '../../crypto-worker/worker.js'
import { sanitizeName } from '../../lib/format.js'

/** `text` is null when the bytes are not UTF-8. */
export interface RevealedSecret extends DecryptedSecret {
  id: string
  /** Null: not limited. */
  viewsLeft: number | null
  expiresAt: number
  /** The proof for a burn request; null when this recipient cannot burn the secret. */
  burnProof: { access?: string } | null
}

/** The proofs for a view request, and what decrypts its response (null: it is not encrypted). */
interface ViewKeys {
  proofs: ReturnType<typeof toViewProofs>
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
  if (fragment === '' && kind !== 'sealed') return { proofs: toViewProofs(null, password), passphrase: null }
  const keys = await cryptoWorker.keys(fragment, password)
  return { proofs: toViewProofs(keys), passphrase: keys.passphrase }
}

/** Throws a JobError named DecryptError when decryption fails. */
export async function decryptView(
  viewed: ViewedSecret,
  { proofs, passphrase }: ViewKeys,
  maxTextBytes: number,
): Promise<RevealedSecret> {
  const content =
    passphrase === null ? readUnencrypted(viewed) : await cryptoWorker.open(viewed, passphrase, maxTextBytes)
  const { access } = proofs
  const mayBurn = access !== undefined || viewed.kind === 'raw'
  return {
    ...content,
    id: viewed.id,
    title: sanitizeName(content.title),
    viewsLeft: viewed.maxViews,
    expiresAt: viewed.expiresAt,
    burnProof: mayBurn && viewed.maxViews !== 0 ? { ...(access && { access }) } : null,
  }
}

function readUnencrypted(viewed: ViewedSecret): DecryptedSecret {
  const content = readPlainView(viewed)
  return { ...content, text: viewed.text, bytes: new Uint8Array(content.text) }
}
