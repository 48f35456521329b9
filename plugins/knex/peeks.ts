/** Looking at secrets: looks that wait at the same moment share one query. */
import type { Knex } from 'knex'
import type { SecretMeta } from '#core'
import { hasViewsLeft, isUsedUp, live, openClaims } from './conditions.js'
import { answered, gather, type Waiting } from './gather.js'
import { toSecretMeta } from './rows.js'

interface Peek {
  id: string
  /** Epoch ms. */
  now: number
  claimHash: string | undefined
}
type Peeks = Waiting<Peek, SecretMeta | null>[]

/** `size`: most looks in one query; with 1 each has its own. */
export function peeks(db: Knex, size: number): (peek: Peek) => Promise<SecretMeta | null> {
  const share = gather<Peek, SecretMeta | null>({
    take: (waiting) => waiting.splice(0, size),
    async run(looks) {
      if (looks.length > 1) await peekTogether(db, looks)
      else await Promise.all(looks.map((look) => answered(look, peekAlone(db, look.call))))
    },
  })
  return (peek) => (size === 1 ? peekAlone(db, peek) : share(peek))
}

async function peekTogether(db: Knex, looks: Peeks): Promise<void> {
  const ids = looks.map(({ call }) => call.id)
  try {
    const rows = await db('secrets').whereIn('id', [...new Set(ids)])
    const found = new Map(rows.map((row) => [row.id, toSecretMeta(row)]))
    for (const look of looks) {
      const { id, now, claimHash } = look.call
      const secret = found.get(id)
      if (!secret || secret.expiresAt <= now) look.answer(null)
      else if (!isUsedUp(secret)) look.answer(secret)
      // It is there for its own claims alone.
      else look.answer(claimHash ? peekAlone(db, look.call) : null)
    }
  } catch {
    // What is wrong with one of them, or with all, each learns by itself.
    for (const look of looks) look.answer(peekAlone(db, look.call))
  }
}

async function peekAlone(db: Knex, { id, now, claimHash }: Peek): Promise<SecretMeta | null> {
  const row = await live(db('secrets'), now)
    .where({ id })
    .where((either) => {
      either.where(hasViewsLeft)
      if (claimHash) either.orWhereExists(openClaims(db, now).where({ claim_hash: claimHash }))
    })
    .first()
  return row ? toSecretMeta(row) : null
}
