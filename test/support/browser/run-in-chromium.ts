/** Runs a module in Chromium, for code that browsers and Node.js share. */
import type { Page } from 'playwright-core'
import { build, type Rolldown } from 'vite'
import { launchBrowser } from './browser-fixture.js'

/** The origin of the page: a secure context, as over https. */
const ORIGIN = 'http://localhost'

export interface PageOptions {
  /** Runs before the code. */
  initScript?: string
  /** Pages over plain http have no WebCrypto. */
  isPlainHttp?: boolean
}

/**
 * Returns what the promise `window.report` resolves to, which the code of `entry` sets. Bundled without the aliases of
 * the web app.
 */
export async function runInChromium<T>(
  entry: string,
  { initScript = '', isPlainHttp = false }: PageOptions = {},
): Promise<T> {
  const browser = await launchBrowser()
  const page = await browser.newPage()
  try {
    await page.route('**/*', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }))
    await page.addInitScript(initScript)
    await page.goto(isPlainHttp ? 'http://plain.example' : ORIGIN)
    const failed = new Promise<never>((_resolve, reject) => page.on('pageerror', reject))
    return await Promise.race([readReport<T>(page, await bundle(entry)), failed])
  } finally {
    await page.context().close()
  }
}

/** A module runs some time after its tag was added, so this waits for the value. */
async function readReport<T>(page: Page, content: string): Promise<T> {
  await page.addScriptTag({ content, type: 'module' })
  await page.waitForFunction('window.report !== undefined')
  return await page.evaluate<T>('window.report')
}

const bundles = new Map<string, Promise<string>>()

/** Bundles each entry once. */
function bundle(entry: string): Promise<string> {
  const made = bundles.get(entry) ?? buildScript(entry)
  bundles.set(entry, made)
  return made
}

/** One script, with what it imports later. */
async function buildScript(entry: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      minify: false,
      rolldownOptions: { input: 'virtual:entry', output: { codeSplitting: false } },
    },
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
