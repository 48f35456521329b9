/**
 * The form of a secret that a click opens, in the server-rendered page, before the app has started. The app replaces it
 * by the same form, and carries out the click.
 */
import type { SecretExists } from '#shared/api'
import { formatDateTime, formatRelativeTime } from '../../lib/format-time.js'

type Texts = Record<string, string>

let isClicked = false

/** Does nothing when the secret needs more than a click, or the app has started. `meta`: not validated. */
export function showEarlyForm({ kind, maxViews, expiresAt, files, ...needs }: SecretExists): void {
  const page = document.querySelector('#root .needs-script')
  const template = document.querySelector<HTMLTemplateElement>('#early-form')
  if (!page || !template || kind !== 'sealed' || needs.passwordRequired || needs.codeRequired) return
  const form = template.content.cloneNode(true) as DocumentFragment
  const texts: Texts = JSON.parse(template.dataset.texts ?? '')
  const language = document.documentElement.lang
  const sentences = [
    // Isolated, as in the app.
    fill(texts.through, { host: `\u2066${location.host}\u2069` }),
    maxViews === null ? texts.kept : countText(texts, 'times', maxViews, language),
    fill(texts.expires, {
      date: formatDateTime(expiresAt, language),
      relative: formatRelativeTime(expiresAt, Date.now(), language),
    }),
    ...(files > 0 ? [countText(texts, 'files', files, language)] : []),
  ]
  form.querySelector('.lede')?.append(...sentences.flatMap((sentence = '') => [createSpan(sentence), ' ']))
  if (maxViews !== 1) form.querySelector('.hint')?.remove()
  form.querySelector('form')?.addEventListener('submit', rememberClick)
  const button = form.querySelector('button')
  page.append(form)
  button?.focus({ preventScroll: true })
}

/** Whether the app has this form to replace. */
export const isEarlyFormShown = (): boolean => document.querySelector('#root .needs-script form') !== null

/** Whether the user has pressed its button; true once. */
export function takeEarlyClick(): boolean {
  const wasClicked = isClicked
  isClicked = false
  return wasClicked
}

function rememberClick(event: SubmitEvent): void {
  event.preventDefault()
  isClicked = true
  const button = (event.target as HTMLFormElement).querySelector('button')
  button?.setAttribute('aria-disabled', 'true')
  button?.lastChild?.replaceWith(button.dataset.busy ?? '')
}

/** As i18next chooses the plural form. */
function countText(texts: Texts, key: string, count: number, language: string): string {
  const text = texts[`${key}_${new Intl.PluralRules(language).select(count)}`] ?? texts[`${key}_other`]
  return fill(text, { 'count, number': new Intl.NumberFormat(language).format(count) })
}

const fill = (text = '', values: Texts): string => text.replace(/\{(.+?)\}/g, (_, name) => values[name] ?? '')

function createSpan(text: string): HTMLSpanElement {
  const span = document.createElement('span')
  span.textContent = text
  return span
}
