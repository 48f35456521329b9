/** Secrets for the tests, created as every client creates them. */
import { ApiError, createClient } from '#shared/client/client'
import { type Draft, encryptSecret } from '#shared/crypto/encrypt-secret'
import type { BrowserFixture } from './browser-fixture.js'

export interface CreatedSecret {
  id: string
  link: string
  fragment: string
  burnToken: string
}

const DAY_S = 86_400

export const client = ({ url }: BrowserFixture) => createClient({ server: url })

/** Encrypts and stores a secret. */
export async function createSecret(
  fixture: BrowserFixture,
  draft: Partial<Omit<Draft, 'text'>> & { text?: string | Uint8Array } = {},
) {
  const { text = 'the text, é ☃\nsecond line', ...rest } = draft
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
  const { fragment, body } = await encryptSecret({ ttl: DAY_S, ...rest, text: bytes })
  const { id, burnToken } = await client(fixture).create(body, crypto.randomUUID())
  return { id, link: `${fixture.url}/secret/${id}#${fragment}`, fragment, burnToken } satisfies CreatedSecret
}

export const createPublicSecret = (fixture: BrowserFixture, title: string, text = 'public text') =>
  client(fixture).create({ text, title, ttl: DAY_S, isPublic: true }, crypto.randomUUID())

export const createRawSecret = (fixture: BrowserFixture, text: string, password?: string) =>
  client(fixture).create({ text, ttl: DAY_S, ...(password && { password }) }, crypto.randomUUID())

/** Views left, as the server counts them; null when the secret is gone. */
export async function viewsLeft(
  fixture: BrowserFixture,
  { link, id }: { link: string; id: string },
): Promise<number | null> {
  const { accessProof } = await import('#shared/crypto/keys')
  const { parseFragment } = await import('#shared/link')
  const found = await client(fixture)
    .peek(id, accessProof(parseFragment(new URL(link).hash)))
    .catch((error) => {
      if (error instanceof ApiError && error.status === 404) return null
      throw error
    })
  return found?.maxViews ?? null
}
