/** Access to the server-rendered page and its texts. */
import { ApiError, createClient, NetworkError } from '#shared/client/client'
import { LinkError } from '#shared/link'
import { copyText } from '../../lib/clipboard.js'
import { restrictionPath } from '../../lib/session/restriction.js'
import { site, withBase } from '../../lib/site.js'

export const language = document.documentElement.lang || 'en'
export const api = createClient({ server: site.base })

/** The server reports a kind of secret that the link cannot open. */
export class TamperedError extends Error {
  override name = 'TamperedError'
}

/** Whether the server processed a request is not known. `message`: for the user. */
export class UnknownOutcomeError extends Error {
  override name = 'UnknownOutcomeError'
}

/** Throws when there is no such element. */
export function byId<E extends HTMLElement = HTMLElement>(id: string): E {
  const found = document.getElementById(id)
  if (!found) throw new Error(`no #${id}`)
  return found as E
}

export const inputById = (id: string) => byId<HTMLInputElement>(id)

/** A text of the page, with `%name%` and `{{name}}` replaced by values; null when there is none. */
export function translate(name: string, blanks: Record<string, string> = {}): string | null {
  const { content } = byId<HTMLTemplateElement>('words')
  const text = content.querySelector(`[data-word="${CSS.escape(name)}"]`)?.textContent ?? null
  return text?.replace(/%(\w+)%|\{\{(\w+)\}\}/g, (_, one, other) => blanks[one ?? other] ?? '') ?? null
}

/** Date and time. */
export const formatTime = (time: number): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(time)

/** Runs `act` when the form is submitted, once at a time, and shows its error below the form. */
export function onSubmit(form: HTMLElement, act: () => Promise<void>): void {
  form.addEventListener('submit', runOnce(act))
}

/** The same for a button. */
export function onClick(id: string, act: () => Promise<void>): void {
  byId(id).addEventListener('click', runOnce(act))
}

function runOnce(act: () => Promise<void>): (event: Event) => Promise<void> {
  let isBusy = false
  return async (event) => {
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
      showProblem(error)
    }
    isBusy = false
  }
}

export function showText(id: 'status' | 'problem', text: string | null): void {
  byId(id).textContent = text
}

/** Adds a link for the user of a restricted session. */
export function showProblem(error: unknown): void {
  showText('problem', errorMessage(error))
  const path = restrictionPath(error, location.pathname.slice(site.base.length))
  if (path === null) return
  const link = document.createElement('a')
  link.href = withBase(path)
  link.textContent = translate('continue')
  byId('problem').append(' ', link)
}

/** The translated error text, or the message of the server when there is no translation. */
export function errorMessage(error: unknown): string | null {
  if (error instanceof LinkError) return translate(`link.${error.problem}`)
  if (error instanceof UnknownOutcomeError) return error.message
  if (error instanceof TamperedError) return translate('tampered')
  if (error instanceof NetworkError) return translate('unreachable')
  if (error instanceof RangeError) return translate('invalid-character')
  if (!(error instanceof ApiError))
    return translate(error instanceof Error && error.name === 'DecryptError' ? 'sealed' : 'unexpected')
  return translate(error.code) ?? (error.status === 429 ? translate('too-many') : error.message)
}

/** Shows "Copied", and calls `onCopied`, only when the text is on the clipboard. */
export function copyOnClick(text: () => string, onCopied: () => void = () => {}): void {
  byId('copy').addEventListener('click', async () => {
    const isCopied = await copyText(text())
    showText('status', translate(isCopied ? 'copied' : 'not-copied'))
    if (isCopied) onCopied()
  })
}
