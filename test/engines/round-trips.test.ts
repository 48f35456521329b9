/** Round trips to the database take most of the time of a request when the database is in another data center. */
import { expect, test } from 'vitest'
import { needs } from '#test/needs'
import { countRoundTrips } from '#test/round-trips'

for (const engine of ['postgres', 'mysql'] as const) {
  test(`on ${engine}: a warm server needs few round trips for a create and a view`, needs(engine), async () => {
    const { create, createWithKey, view } = await countRoundTrips(engine)
    expect(create).toBeLessThanOrEqual(8)
    expect(createWithKey).toBeLessThanOrEqual(10)
    expect(view).toBeLessThanOrEqual(10)
  })
}
