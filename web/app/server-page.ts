/** The page that the server rendered. It stays, and its text field can be used, until the app replaces it. */
import { SHOW_AFTER_MS } from '../components/Loading.js'

export const serverPage = elementById('root')

/** Shows a spinner when the app is slow to start. Returns a function that cancels it. */
export function showLoadingAfterDelay(): () => void {
  const timer = setTimeout(() => serverPage.querySelector('main')?.append(template('late')), SHOW_AFTER_MS)
  return () => clearTimeout(timer)
}

const template = (id: string): DocumentFragment => (elementById(id) as HTMLTemplateElement).content

function elementById(id: string): HTMLElement {
  const element = document.getElementById(id)
  if (!element) throw new Error(`no #${id}`)
  return element
}
