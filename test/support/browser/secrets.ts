/** Secrets for the tests, made the way every client makes them. */
import { createClient } from '#shared/client'
import { type Draft, seal } from '#shared/sealing'
import type { Stage } from './browser-fixture.js'

export interface MadeSecret {
  id: string
  link: string
  fragment: string
  burnToken: string
}

const DAY_S = 86_400

export const client = ({ url }: Stage) => createClient({ server: url, retryMs: [] })

/** Seals and stores; the link is as people get it. */
export async function makeSecret(
  stage: Stage,
  draft: Partial<Omit<Draft, 'text'>> & { text?: string | Uint8Array } = {},
) {
  const { text = 'the text, é ☃\nsecond line', ...rest } = draft
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
  const { fragment, body } = await seal({ ttl: DAY_S, ...rest, text: bytes })
  const { id, burnToken } = await client(stage).create(body, crypto.randomUUID())
  return { id, link: `${stage.url}/secret/${id}#${fragment}`, fragment, burnToken } satisfies MadeSecret
}

export const makePublic = (stage: Stage, title: string, text = 'public text') =>
  client(stage).create({ text, title, ttl: DAY_S, isPublic: true }, crypto.randomUUID())

export const makeRaw = (stage: Stage, text: string, password?: string) =>
  client(stage).create({ text, ttl: DAY_S, ...(password && { password }) }, crypto.randomUUID())

/** Views left, as the server counts them; null when the secret is gone. */
export async function viewsLeft(stage: Stage, { link, id }: { link: string; id: string }): Promise<number | null> {
  const { accessProof } = await import('#shared/keys')
  const { parseFragment } = await import('#shared/link')
  const found = await client(stage)
    .exist(id, accessProof(parseFragment(new URL(link).hash)))
    .catch(() => null)
  return found?.maxViews ?? null
}
