/** The C2SP vectors once more, in a real browser: what a reader's page runs is not what Node runs. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { build, type Rolldown } from 'vite'
import { describe, expect, test } from 'vitest'
import type { VectorReport } from '../testing/age-vectors.js'

const CHROMIUM = '/usr/bin/chromium'
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking']
const hasChromium = existsSync(CHROMIUM)
if (!hasChromium && process.env.CI) throw new Error('Chromium is missing: apt-get install chromium')

describe.skipIf(!hasChromium)('in Chromium (apt-get install chromium)', () => {
  test('every C2SP vector is opened or refused as it should be', async () => {
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS })
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
    import { tryAgeVectors } from ${JSON.stringify(fileURLToPath(new URL('../testing/age-vectors.ts', import.meta.url)))}
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
