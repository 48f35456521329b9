/** The main stories in WebKitGTK, driven by WebDriver, on a display server without a display. */
import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { describe } from 'vitest'
import { type Role, runMainStories, type StoryBrowser, type StoryPage } from '#test/browser/main-stories'
import { freePort } from '#test/free-port'
import { needs } from '#test/needs'
import { findMiniBrowser } from '#test/tools'

const TIMEOUT_MS = 60_000
const POLL_MS = 50
/** The key of an element in the JSON of WebDriver. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'
const ENTER = '\ue007'
const TAGS: Record<Role, string> = { button: 'button', link: 'a[href]', heading: 'h1, h2' }

const FIND_BY_ROLE = `return [...document.querySelectorAll(arguments[0])].find((each) => each.checkVisibility() &&
  (each.getAttribute('aria-label') ?? each.textContent).trim() === arguments[1]) ?? null`
const CLICK_BY_ROLE = `const found = (() => { ${FIND_BY_ROLE} })()
  found?.click()
  return found && true`
const FIND_FIELD = `return [...document.querySelectorAll('main form label')].find((each) =>
  each.textContent.startsWith(arguments[0]))?.control ?? null`
const FIND_FILES = `return document.querySelector('main form input[type=file]')`
const FIND_TEXTS = `const found = [...document.querySelectorAll(arguments[0])]
  return found.length > 0 ? found.map(({ textContent }) => textContent) : null`

describe('in WebKit', needs('webkit', 'broadway'), () => runMainStories(launch))

async function launch(): Promise<StoryBrowser> {
  const [port, displayPort] = [await freePort(), await freePort()]
  const display = `:${displayPort}`
  const env = { ...process.env, GDK_BACKEND: 'broadway', BROADWAY_DISPLAY: display }
  const processes = [
    // A backend of GTK that shows windows in a browser, if one connects.
    spawn('broadwayd', [display, '--port', `${displayPort}`, '--address', '127.0.0.1'], { stdio: 'ignore' }),
    // Bubblewrap needs rights that containers do not have.
    spawn('WebKitWebDriver', [`--port=${port}`], {
      env: { ...env, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' },
      stdio: 'ignore',
    }),
  ]
  const call = createCaller(`http://127.0.0.1:${port}`)
  await poll(() => call('GET', '/status').catch(() => null))
  let session: string | null = null
  const end = async () => session && (await call('DELETE', session))
  async function openSession(): Promise<string> {
    const options = { binary: findMiniBrowser(), args: ['--automation'] }
    const alwaysMatch = { 'webkitgtk:browserOptions': options }
    const { sessionId } = (await call('POST', '/session', { capabilities: { alwaysMatch } })) as { sessionId: string }
    return `/session/${sessionId}`
  }
  return {
    async newVisitor(url) {
      // A session is a process of the browser, which takes longer to start than most steps.
      if (session) await forgetVisitor(session, call)
      else session = await openSession()
      await call('POST', `${session}/url`, { url })
      return createPage(session, call)
    },
    async close() {
      await end()
      for (const each of processes) await stop(each)
    },
  }
}

/** Clears the cookies and the storage of the page that is shown. */
async function forgetVisitor(session: string, call: Call): Promise<void> {
  await call('DELETE', `${session}/cookie`)
  await call('POST', `${session}/execute/sync`, { script: 'localStorage.clear(); sessionStorage.clear()', args: [] })
}

type Call = (method: string, path: string, body?: object) => Promise<unknown>

/** Rejects with the error of the driver. */
function createCaller(base: string): Call {
  return async (method, path, body) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const response = await fetch(base + path, { method, signal, ...(body && { body: JSON.stringify(body) }) })
    const { value } = (await response.json()) as { value: unknown }
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`)
    return value
  }
}

function createPage(session: string, call: Call): StoryPage {
  const find = (script: string, args: string[] = []) =>
    poll(() => call('POST', `${session}/execute/sync`, { script, args }))
  const findElement = async (script: string, args?: string[]) => {
    const element = (await find(script, args)) as Record<string, string>
    return `${session}/element/${element[ELEMENT]}`
  }
  return {
    // By a script: without a window that is shown, the driver finds no place for its pointer.
    click: async (role, name) => void (await find(CLICK_BY_ROLE, [TAGS[role], name])),
    waitFor: async (role, name) => void (await find(FIND_BY_ROLE, [TAGS[role], name])),
    async fill(label, text) {
      const keys = { text: text.replaceAll('\n', ENTER) }
      await call('POST', `${await findElement(FIND_FIELD, [label])}/value`, keys)
    },
    async attach(path) {
      await call('POST', `${await findElement(FIND_FILES)}/value`, { text: path })
    },
    textsOf: async (selector) => (await find(FIND_TEXTS, [selector])) as string[],
  }
}

/** Repeats it until the result is not null. */
async function poll(read: () => Promise<unknown>): Promise<unknown> {
  for (const until = Date.now() + TIMEOUT_MS; Date.now() < until; await setTimeout(POLL_MS)) {
    const found = await read()
    if (found !== null) return found
  }
  throw new Error(`not found in ${TIMEOUT_MS} ms`)
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill()
  await ended
}
