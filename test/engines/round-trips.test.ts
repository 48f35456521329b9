/** Round trips to the database take most of the time of a request when the database is in another data center. */
import { expect, test } from 'vitest'
import { needs } from '#test/needs'
import { countRoundTrips, type RoundTrips } from '#test/round-trips'

const MOST: Record<'postgres' | 'mysql', RoundTrips> = {
  postgres: { create: 2, createWithKey: 2, view: 3, missing: 1 },
  mysql: { create: 3, createWithKey: 4, view: 4, missing: 1 },
}

/** Features that cost a create and a view nothing that do not use them. */
const UNUSED = { MAYFLY_PLUGINS: 'web,webhook', MAYFLY_WEBHOOK_USER_TARGETS: 'true' }

for (const engine of ['postgres', 'mysql'] as const) {
  test(`on ${engine}: a warm server needs few round trips for a create and a view`, needs(engine), async () => {
    const counted = await countRoundTrips(engine, UNUSED, MOST[engine])
    for (const kind of ['create', 'createWithKey', 'view', 'missing'] as const)
      expect(counted[kind], kind).toBeLessThanOrEqual(MOST[engine][kind])
  })
}
