/** Runs a module in Chromium, for code that browsers and Node.js share. */
import { chromium } from 'playwright-core'
import { build, type Rolldown } from 'vite'
import { findChromium } from '#test/tools'

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking']

/** Returns what the promise `window.report` resolves to, which the code of `entry` sets. Bundled without the aliases of the web app. */
export async function runInChromium<T>(entry: string): Promise<T> {
  const browser = await chromium.launch({ executablePath: findChromium() as string, args: FLAGS })
  try {
    const page = await browser.newPage()
    await page.addScriptTag({ content: await bundle(entry), type: 'module' })
    return await page.evaluate<T>('window.report')
  } finally {
    await browser.close()
  }
}

/** One script. */
async function bundle(entry: string): Promise<string> {
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
