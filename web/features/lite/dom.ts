/** The page as the server wrote it: its places, and its words for what may happen. */
import { ApiError, createClient, NetworkError } from '#shared/client'
import { LinkError } from '#shared/link'
import { copyText } from '../../lib/clipboard.js'
import { site } from '../../lib/site.js'

export const language = document.documentElement.lang || 'en'
export const api = createClient({ server: site.base })

/** Throws when the page has no such place. */
export function byId<E extends HTMLElement = HTMLElement>(id: string): E {
  const found = document.getElementById(id)
  if (!found) throw new Error(`no #${id}`)
  return found as E
}

export const inputById = (id: string) => byId<HTMLInputElement>(id)

/** The page's words for something; null when it has none. */
export function translate(name: string, blanks: Record<string, string> = {}): string | null {
  const { content } = byId<HTMLTemplateElement>('words')
  const text = content.querySelector(`[data-word="${CSS.escape(name)}"]`)?.textContent ?? null
  return text?.replace(/%(\w+)%/g, (_, blank) => blanks[blank] ?? '') ?? null
}

export const moment = (time: number): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(time)

/** Runs what a form is for: once at a time, and what goes wrong is told below it. */
export function onSubmit(form: HTMLElement, act: () => Promise<void>): void {
  let isBusy = false
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    if (isBusy) return
    isBusy = true
    showText('problem', '')
    showText('status', translate('busy'))
    try {
      await act()
      showText('status', '')
    } catch (error) {
      showText('status', '')
      showText('problem', errorMessage(error))
    }
    isBusy = false
  })
}

export function showText(id: 'status' | 'problem', text: string | null): void {
  byId(id).textContent = text
}

/** What happened in the page's words; in the server's own where it has none. */
export function errorMessage(error: unknown): string | null {
  if (error instanceof LinkError) return translate(`link.${error.problem}`)
  if (error instanceof NetworkError) return translate('unreachable')
  if (error instanceof RangeError) return translate('half-character')
  if (!(error instanceof ApiError))
    return translate(error instanceof Error && error.name === 'SealError' ? 'sealed' : 'unexpected')
  return translate(error.code) ?? (error.status === 429 ? translate('too-many') : error.message)
}

/** Says "Copied" only when the clipboard took it. */
export function copyOnClick(text: () => string): void {
  byId('copy').addEventListener('click', async () => {
    showText('status', translate((await copyText(text())) ? 'copied' : 'not-copied'))
  })
}
