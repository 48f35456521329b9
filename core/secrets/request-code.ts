/** A reader with the link requests a code, which is sent to the address that the reader entered. */
import { timingSafeEqual } from 'node:crypto'
import type { App } from '../app.js'
import type { AuthContext } from '../contracts/auth-context.js'
import type { NamedRecipient } from '../contracts/named-recipients.js'
import type { SecretMeta } from '../contracts/storage.js'
import { reportFacts } from '../events/durable-events.js'
import { preferredLanguage } from '../lib/language.js'
import { createTextCipher } from '../lib/text-cipher.js'
import type { RequestCode } from '../shared/api/index.js'
import { loadAuthorized } from './load-authorized.js'
import { codeRequestedFacts } from './recipient-facts.js'
import { hashRecipientAddress } from './recipient-hashes.js'
import { parseSecretRef } from './secret-access.js'

/**
 * Sends a code to the address if it is one of the named recipients. Resolves in the same way for every address, and
 * does not wait for the message. Throws AppError `secret.not_found`. `acceptLanguage`: header of the request.
 */
export async function requestCode(
  app: App,
  id: string,
  { access, email }: RequestCode,
  caller: AuthContext,
  acceptLanguage = '',
): Promise<void> {
  const meta = await loadAuthorized(app, parseSecretRef(id, access), caller)
  const recipient = await findRecipient(app, meta, email)
  // Counted for every address, so that the response does not reveal which address gets a message.
  const [forSecret, forAddress] = await Promise.all([
    app.limits.tryConsume('recipient-code-secret', caller, `${meta.id} ${email}`),
    app.limits.tryConsume('recipient-code-address', caller, email),
  ])
  if (!recipient || forSecret?.granted === false || forAddress?.granted === false) return
  const address = encryptAddress(app.key, meta.id, email)
  const facts = codeRequestedFacts(meta, {
    number: recipient.number,
    address,
    language: preferredLanguage(acceptLanguage),
  })
  void reportFacts(app, facts, caller)
}

async function findRecipient({ storage, key }: App, { id }: SecretMeta, email: string): Promise<NamedRecipient | null> {
  const expected = Buffer.from(hashRecipientAddress(key, id, email))
  let found: NamedRecipient | null = null
  // Compares with all hashes, so that the time does not reveal which one matches.
  for (const each of await storage.namedRecipients.list(id)) {
    const actual = Buffer.from(each.addressHash)
    if (actual.length === expected.length && timingSafeEqual(actual, expected)) found = each
  }
  return found
}

const cipherOf = (key: Buffer) => createTextCipher(key, 'mayfly/v1/recipient-address')

/** Encrypts the address for the event. `key`: of the instance. */
const encryptAddress = (key: Buffer, secretId: string, email: string): string => cipherOf(key).encrypt(email, secretId)

/** Null for a text that this instance did not encrypt for this secret. */
export const decryptAddress = (key: Buffer, secretId: string, encrypted: string): string | null =>
  cipherOf(key).decrypt(encrypted, secretId)
