import { type PropsWithChildren, StrictMode, startTransition, useInsertionEffect } from 'react'
import { RouterProvider } from 'react-router'
import { SHOW_AFTER_MS } from '../components/Loading.js'
import { adoptEarlyText } from '../features/compose/draft-options.js'
import { startWords } from '../lib/i18n.js'
import { fragmentForm } from '../lib/paths.js'
import { askForSettings, SettingsProvider } from '../lib/settings.js'
import { site } from '../lib/site.js'
import { createRouter } from './router.js'
import '../styles/app.css'

type Router = ReturnType<typeof createRouter>

const fragment = fragmentForm(location.pathname, site.base)
// Before any request: a key in the path must not stay there.
if (fragment) history.replaceState(null, '', fragment)

/** What the server wrote. It stays, and can be typed into, until the app is complete. */
const shell = byId('root')
const late = setTimeout(() => shell.querySelector('main')?.append(template('late')), SHOW_AFTER_MS)

start()
  .catch(fail)
  .finally(() => clearTimeout(late))

/** Rejects without words. Every part in a task of its own, so that keys are answered in between. */
async function start(): Promise<void> {
  const settings = askForSettings()
  settings.then(({ settings: { providers } }) => {
    if (providers.some(({ kind }) => kind === 'header')) import('../features/auth/detect-proxy-user.js').catch(() => {})
  })
  await nextTask()
  const words = startWords()
  await nextTask()
  const { createRoot } = await import('react-dom/client')
  await nextTask()
  const router = createRouter()
  const [first] = await Promise.all([settings, words, firstScreen(router)])
  const root = shell.cloneNode(false) as HTMLElement
  // As a transition it is rendered in pieces.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <Arrival root={root}>
          <SettingsProvider first={first}>
            <RouterProvider router={router} />
          </SettingsProvider>
        </Arrival>
      </StrictMode>,
    ),
  )
}

/** Resolves when the router has it, or what stands in its place. */
function firstScreen(router: Router): Promise<void> {
  return new Promise((resolve) => {
    if (router.state.initialized) return resolve()
    const end = router.subscribe(({ initialized }) => {
      if (!initialized) return
      end()
      resolve()
    })
  })
}

/** Puts the app into the place of the shell at one stroke, before its fields can take the focus. */
function Arrival({ root, children }: PropsWithChildren<{ root: HTMLElement }>) {
  useInsertionEffect(() => {
    adoptEarlyText()
    shell.replaceWith(root)
  }, [root])
  return children
}

/** Without words there is only what the server wrote on the page. */
function fail(): void {
  const content = template('failed')
  content.querySelector('button')?.addEventListener('click', () => location.reload())
  shell.replaceChildren(content)
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}

const template = (id: string): DocumentFragment => (byId(id) as HTMLTemplateElement).content

function byId(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (!found) throw new Error(`no #${id}`)
  return found
}
