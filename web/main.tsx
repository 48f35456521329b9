import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router'
import { api } from './api.js'
import { startWords } from './i18n.js'
import { fragmentForm } from './paths.js'
import { createRouter } from './routes.js'
import { adoptEarlyText } from './screens/home/draft.js'
import { SettingsProvider } from './settings.js'
import { site } from './site.js'
import './styles/app.css'

const fragment = fragmentForm(location.pathname, site.base)
// Before any request: a key in the path must not stay there.
if (fragment) history.replaceState(null, '', fragment)

const settings = api.settings()
settings
  .then(({ providers }) => {
    if (providers.some(({ kind }) => kind === 'header')) return import('./screens/people/ask-proxy.js')
  })
  .catch(() => {})
const words = startWords()
const router = createRouter()
words.then(show, fail)

function show(): void {
  adoptEarlyText()
  createRoot(byId('root')).render(
    <StrictMode>
      <SettingsProvider first={settings}>
        <RouterProvider router={router} />
      </SettingsProvider>
    </StrictMode>,
  )
}

/** Without words there is only what the server wrote on the page. */
function fail(): void {
  const { content } = byId('failed') as HTMLTemplateElement
  content.querySelector('button')?.addEventListener('click', () => location.reload())
  byId('root').replaceChildren(content)
}

function byId(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (!found) throw new Error(`no #${id}`)
  return found
}
