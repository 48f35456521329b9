/** The C2SP vectors once more, in a real browser: what a reader's page runs is not what Node runs. */

import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { build, type Rolldown } from 'vite'
import { describe, expect, test } from 'vitest'
import type { VectorReport } from '#test/age-vectors'
import { needs } from '#test/needs'
import { ROOT } from '#test/source-files'
import { findProgram } from '#test/tools'

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking']

describe('in Chromium', needs('chromium'), () => {
  test('decrypt accepts and rejects the C2SP vectors as specified', async () => {
    const browser = await chromium.launch({ executablePath: findProgram('chromium') as string, args: FLAGS })
    try {
      const page = await browser.newPage()
      await page.addScriptTag({ content: await bundle(), type: 'module' })
      const report = await page.evaluate<VectorReport>('window.report')
      expect(report.wrong).toEqual([])
      expect(report).toMatchObject({ opened: 2, refused: 141, rewrapped: 36 })
    } finally {
      await browser.close()
    }
  }, 60_000)
})

/** One script that puts the promise of a report on `window`. */
async function bundle(): Promise<string> {
  const entry = `
    import * as vectors from 'cctv-age'
    import { tryAgeVectors } from ${JSON.stringify(join(ROOT, 'test/support/age-vectors.ts'))}
    window.report = tryAgeVectors(vectors)`
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, minify: false, rollupOptions: { input: 'virtual:entry' } },
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === 'virtual:entry' ? id : null),
        load: (id) => (id === 'virtual:entry' ? entry : null),
      },
    ],
  })
  const [chunk] = (result as Rolldown.RolldownOutput).output
  return chunk.code
}
