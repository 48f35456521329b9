/** Fills a storage with secrets, through its own interface. */
import type { Storage } from '#core'
import { aSecret } from '#core/testing'

const BATCH = 1000
const TEXT = 'x'.repeat(700)
const HOUR_MS = 3_600_000

/** Creates `rows` secrets that live for an hour. `change` returns the fields to change in the secret of an index. */
export async function fillSecrets(
  { secrets }: Storage,
  rows: number,
  change: (index: number) => Parameters<typeof aSecret>[0],
): Promise<void> {
  const now = Date.now()
  for (let done = 0; done < rows; done += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, rows - done) }, (_, index) =>
      aSecret({ text: TEXT, createdAt: now, expiresAt: now + HOUR_MS, ...change(done + index) }),
    )
    await Promise.all(batch.map((secret) => secrets.create({ secret, now })))
  }
}
