/** Test vectors once more, in a real browser: what a reader's page runs is not what Node runs. */

import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { VectorReport } from '#test/age-vectors'
import { runInChromium } from '#test/browser/run-in-chromium'
import { needs } from '#test/needs'
import { ROOT } from '#test/source-files'

const path = (file: string) => JSON.stringify(join(ROOT, file))

describe('in Chromium', needs('chromium'), () => {
  test('decrypt accepts and rejects the C2SP vectors as specified', async () => {
    const report = await runInChromium<VectorReport>(`
      import * as vectors from 'cctv-age'
      import { tryAgeVectors } from ${path('test/support/age-vectors.ts')}
      window.report = tryAgeVectors(vectors)`)
    expect(report.wrong).toEqual([])
    expect(report).toMatchObject({ opened: 2, refused: 141, rewrapped: 36 })
  })

  test('every vector of secret requests passes', async () => {
    const wrong = await runInChromium<string[]>(`
      import vectors from ${path('core/shared/request-vectors.json')}
      import { tryRequestVectors } from ${path('test/support/request-vectors.ts')}
      window.report = tryRequestVectors(vectors)`)
    expect(wrong).toEqual([])
  })
})
