/** The page as the server wrote it: its places, and its words for what may happen. */
import { ApiError, createClient, NetworkError } from '#shared/client'
import { LinkError } from '#shared/link'
import { copyText } from '../../lib/clipboard.js'
import { site } from '../../lib/site.js'

export const language = document.documentElement.lang || 'en'
export const api = createClient({ server: site.base })

/** Throws when the page has no such place. */
export function place<E extends HTMLElement = HTMLElement>(id: string): E {
  const found = document.getElementById(id)
  if (!found) throw new Error(`no #${id}`)
  return found as E
}

export const field = (id: string) => place<HTMLInputElement>(id)

/** The page's words for something; null when it has none. */
export function word(name: string, blanks: Record<string, string> = {}): string | null {
  const { content } = place<HTMLTemplateElement>('words')
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
    tell('problem', '')
    tell('status', word('busy'))
    try {
      await act()
      tell('status', '')
    } catch (error) {
      tell('status', '')
      tell('problem', problemOf(error))
    }
    isBusy = false
  })
}

export function tell(id: 'status' | 'problem', text: string | null): void {
  place(id).textContent = text
}

/** What happened in the page's words; in the server's own where it has none. */
export function problemOf(error: unknown): string | null {
  if (error instanceof LinkError) return word(`link.${error.problem}`)
  if (error instanceof NetworkError) return word('unreachable')
  if (error instanceof RangeError) return word('half-character')
  if (!(error instanceof ApiError))
    return word(error instanceof Error && error.name === 'SealError' ? 'sealed' : 'unexpected')
  return word(error.code) ?? (error.status === 429 ? word('too-many') : error.message)
}

/** Says "Copied" only when the clipboard took it. */
export function copyOnClick(text: () => string): void {
  place('copy').addEventListener('click', async () => {
    tell('status', word((await copyText(text())) ? 'copied' : 'not-copied'))
  })
}
