import { type PropsWithChildren, StrictMode, startTransition, useInsertionEffect } from 'react'
import { RouterProvider } from 'react-router'
import { DraftStore } from '../features/compose/draft/draft-store.js'
import { initI18n } from '../lib/i18n.js'
import { isChangedAddress, moveKeyToFragment } from '../lib/paths.js'
import { sessionStore } from '../lib/session/session-store.js'
import { type LoadedSettings, loadSettings } from '../lib/settings.js'
import { site } from '../lib/site.js'
import { Providers } from './Providers.js'
import { createRouter } from './router.js'
import { serverPage, showLoadingAfterDelay } from './server-page.js'
import '../styles/app.css'

const url = moveKeyToFragment(location.pathname, site.base)
// Before any request, so that a key in the path is sent nowhere.
if (url) history.replaceState(null, '', url)

const cancelLoading = showLoadingAfterDelay()
repairChangedAddress()
  .then(start)
  // theme.js shows the error, also when this file cannot be loaded.
  .catch(() => dispatchEvent(new Event('starterror')))
  .finally(cancelLoading)

/** Removes what mail and chat programs add to a link, before the router sees it. */
async function repairChangedAddress(): Promise<void> {
  if (!isChangedAddress(location, site.base)) return
  const { repairAddress } = await import('../lib/repair-address.js')
  const address = repairAddress(location.href, site.base)
  if (address) history.replaceState(history.state, '', address)
}

/** Rejects when the texts cannot be loaded. Waits between the steps, so that the page stays responsive. */
async function start(): Promise<void> {
  const settings = loadSettings()
  sessionStore.waitFor(settings.then(detectProxyUser).catch(() => {}))
  await nextTask()
  const texts = initI18n()
  await nextTask()
  const { createRoot } = await import('react-dom/client')
  await nextTask()
  const router = createRouter()
  const [loadedSettings] = await Promise.all([settings, texts, waitForFirstPage(router)])
  const root = serverPage.cloneNode(false) as HTMLElement
  const draft = new DraftStore()
  // A transition is rendered in slices.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <ReplaceServerPage root={root} draft={draft}>
          <Providers settings={loadedSettings} draft={draft}>
            <RouterProvider router={router} />
          </Providers>
        </ReplaceServerPage>
      </StrictMode>,
    ),
  )
}

async function detectProxyUser({ settings: { providers } }: LoadedSettings): Promise<void> {
  if (providers.some(({ kind }) => kind === 'header'))
    await (await import('../features/auth/detect-proxy-user.js')).detectProxyUser()
}

/**
 * Resolves when the router has loaded the first page, or the error page in its place. Rejects if the error page would
 * replace the server's form and the text in it.
 */
function waitForFirstPage(router: ReturnType<typeof createRouter>): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = ({ initialized, errors }: typeof router.state) => {
      if (errors && document.getElementById('early')) reject()
      else if (initialized) resolve()
    }
    settle(router.state)
    router.subscribe(settle)
  })
}

/** Replaces the server-rendered page in one step, before a field of the app can get the focus. */
function ReplaceServerPage({ root, draft, children }: PropsWithChildren<{ root: HTMLElement; draft: DraftStore }>) {
  useInsertionEffect(() => {
    draft.adoptEarlyForm()
    serverPage.replaceWith(root)
  }, [root, draft])
  return children
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}
