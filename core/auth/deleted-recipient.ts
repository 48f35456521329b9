/**
 * Who gets the message about a deleted account. The event has the recipient encrypted, because an event contains no
 * address in clear.
 */
import { z } from 'zod'
import type { User } from '../contracts/users.js'
import { createTextCipher } from '../lib/text-cipher.js'

const recipientSchema = z.object({
  username: z.string(),
  email: z.string(),
  emailVerified: z.number().nullable(),
  formerEmail: z.string().nullable(),
  formerEmailUntil: z.number().nullable(),
  language: z.string().nullable(),
})

/** The part of a user that messages about security need. */
export type MailRecipient = Pick<User, keyof z.output<typeof recipientSchema>>

const cipherOf = (key: Buffer) => createTextCipher(key, 'mayfly/v1/deleted-recipient')

/** `key`: of the instance. */
export const encryptRecipient = (key: Buffer, user: MailRecipient & Pick<User, 'id'>): string =>
  cipherOf(key).encrypt(JSON.stringify(recipientSchema.parse(user)), user.id)

/** Null for a text that this instance did not encrypt for this user. */
export function decryptRecipient(key: Buffer, userId: string, encrypted: string): MailRecipient | null {
  const text = cipherOf(key).decrypt(encrypted, userId)
  return text === null ? null : recipientSchema.parse(JSON.parse(text))
}
