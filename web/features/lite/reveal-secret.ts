/**
 * The lite page that reveals a secret. Nothing uses up a view before the click, and every attempt has the same claim
 * until the view is acknowledged, also after a reload of the tab.
 */
import type { SecretExists, ViewedSecret } from '#shared/api'
import { ApiError, isOutcomeUnknown } from '#shared/client/client'
import { readSealedView, toViewProofs } from '#shared/client/viewed-content'
import { decodeText } from '#shared/crypto/envelope'
import { accessProof, deriveKeys, type Keys, newClaim } from '#shared/crypto/keys'
import type { EpochMs } from '#shared/epoch-ms'
import { TEXT_BYTES_MAX } from '#shared/limits'
import { isPossibleKind, isRawId, isSecretId, KEYLESS, LinkError, parseFragment } from '#shared/link'
import { parsePastedKey } from '#shared/pasted-key'
import { type ClaimedView, createClaimedView } from '../../lib/claimed-view.js'
import { formatNumber, formatTime as formatTimeOfDay } from '../../lib/format.js'
import { hasLongLine } from '../../lib/long-lines.js'
import { withBase } from '../../lib/site.js'
import {
  api,
  byId,
  copyOnClick,
  formatTime,
  inputById,
  language,
  onSubmit,
  showProblem,
  showText,
  TamperedError,
  translate,
  UnknownOutcomeError,
} from './dom.js'
import { createRecipientFields } from './recipient-code.js'

/** State of the history entry, after the last view. */
interface EntryState {
  isSpent: true
  openedAt: EpochMs
  /** While this tab can open the secret again. */
  key?: string
}

export async function initRevealPage(id: string): Promise<void> {
  const entry: EntryState | null = history.state
  const marker = location.hash.slice(1)
  const isKeyless = marker === KEYLESS
  let fragment = isKeyless ? '' : marker
  let meta: SecretExists | null = null
  let received: ViewedSecret | null = null
  let view: ClaimedView
  const recipient = createRecipientFields(id, () => (fragment ? accessProof(parseFragment(fragment)) : undefined))
  linkFullVersion(id, isKeyless ? KEYLESS : fragment)
  // The user opened another link in this tab.
  addEventListener('hashchange', () => location.reload())

  function showForm(): void {
    byId('open').hidden = false
    byId('key-field').hidden = meta !== null
    byId('password-field').hidden = !meta?.passwordRequired
    recipient.show(meta?.codeRequired === true, view.earlier() !== null)
    byId('facts').textContent = meta && view.earlier()?.repeatableUntil ? describeAgain(view) : describeFacts(meta)
  }

  async function open(): Promise<void> {
    if (!meta) {
      const typed = inputById('key').value.trim()
      const key = parsePastedKey(typed)
      const found = await view.describe(() => checkSealed(id, key))
      fragment = key
      meta = found
      linkFullVersion(id, fragment)
    }
    if (meta.files > 0) return showText('problem', translate('has-files'))
    if (meta.codeRequired && byId('email-field').hidden) return showForm()
    if (recipient.isAsking()) return recipient.send()
    const password = inputById('password').value
    if (meta.passwordRequired && password === '') {
      showForm()
      inputById('password').focus()
      return
    }
    const isSealed = fragment !== '' || meta.kind === 'sealed'
    const keys = isSealed ? await deriveKeys(parseFragment(fragment), password) : null
    const code = recipient.code()
    received ??= await view.request({ ...toViewProofs(keys, password), ...(code && { code }) }, meta)
    await decryptAndShow(received, { id, fragment, keys }, view)
  }

  function explain(error: unknown): void {
    // Changed on the way: the next attempt requests it again, while that uses no further view.
    if (received && view.earlier()?.repeatableUntil) received = null
    if (!isGone(error) || !meta) throw describeFailure(error, view)
    showGone(goneReason(view))
  }

  onSubmit(byId('open'), () => open().catch(explain))
  try {
    assertLink(id, fragment)
    view = await loadView(id)
    if (fragment === '' && view.earlier()) fragment = entry?.key ?? ''
    if (entry?.isSpent && !view.earlier()) hideKey(id)
    meta = isKeyless && fragment === '' ? null : await findMeta(id, fragment, entry, view)
    showForm()
  } catch (error) {
    if (isGone(error)) showGone(entry?.isSpent ? 'gone-here' : 'secret.not_found', entry?.openedAt)
    else showProblem(error)
  }
}

/** `keys`: null for a secret without a key. Throws TamperedError and DecryptError. */
async function decryptAndShow(
  received: ViewedSecret,
  { id, fragment, keys }: { id: string; fragment: string; keys: Keys | null },
  view: ClaimedView,
): Promise<void> {
  if (!keys && !isPossibleKind(received.kind, id, '')) throw new TamperedError()
  const opened = keys ? await readSealedView(received, keys.passphrase, TEXT_BYTES_MAX) : null
  const text = opened ? decodeText(opened.text) : received.text
  if (received.maxViews === 0) hideKey(id, fragment)
  show(received, text, (opened?.warnings.length ?? 0) > 0)
  keepUntilCopied(received, text, view, keys?.access)
}

async function loadView(id: string): Promise<ClaimedView> {
  const settings = await api.settings().catch(() => null)
  return createClaimedView(id, settings?.limits ?? { readGraceSeconds: 0 }, newClaim())
}

/** Null: the server needs a key. */
async function findMeta(id: string, fragment: string, entry: EntryState | null, view: ClaimedView) {
  const isSpent = entry?.isSpent === true && !view.earlier()
  const found = await view.describe(() => checkSecret(id, fragment, isSpent))
  return found?.kind === 'sealed' && fragment === '' ? null : found
}

/** Throws LinkError. */
function assertLink(id: string, fragment: string): void {
  if (!isSecretId(id)) throw new LinkError('not-a-link')
  if (fragment) parseFragment(fragment)
}

/** Null: the server needs a key. */
async function checkSecret(id: string, fragment: string, isSpent: boolean): Promise<SecretExists | null> {
  if (fragment) return checkSealed(id, fragment)
  try {
    const meta = await api.peek(id)
    if (!isPossibleKind(meta.kind, id, '')) throw new TamperedError()
    return meta
  } catch (error) {
    // After the last view, a key would not help.
    if (isGone(error) && !isRawId(id) && !isSpent) return null
    throw error
  }
}

/**
 * Checks a secret whose key is known. Only sealed secrets have keys: a server that reports another kind wants to read
 * the password or to replace the text. Throws TamperedError then, and LinkError before any request.
 */
async function checkSealed(id: string, fragment: string): Promise<SecretExists> {
  const meta = await api.peek(id, accessProof(parseFragment(fragment)))
  if (meta.kind !== 'sealed') throw new TamperedError()
  return meta
}

function describeFacts(meta: SecretExists | null): string | null {
  if (!meta) return translate('needs-key')
  if (meta.maxViews === null) return translate('opens-until')
  return meta.maxViews === 1
    ? translate('opens-once')
    : translate('opens-more', { count: formatNumber(meta.maxViews, language) })
}

function linkFullVersion(id: string, fragment: string): void {
  byId<HTMLAnchorElement>('full').href = withBase(`/secret/${id}${fragment && `#${fragment}`}`)
}

/**
 * Removes the key from the page and the address bar. `key`: stays in the history entry, so that a reload opens it
 * again.
 */
function hideKey(id: string, key = ''): void {
  const openedAt = (history.state as EntryState | null)?.openedAt ?? Date.now()
  history.replaceState({ isSpent: true, openedAt, ...(key && { key }) } satisfies EntryState, '', location.pathname)
  linkFullVersion(id, '')
}

/** Acknowledges the view when the whole text is copied, and asks before the only copy is left. */
function keepUntilCopied(
  { id, maxViews }: ViewedSecret,
  text: string | null,
  view: ClaimedView,
  access?: string,
): void {
  const { claim, isStored } = view.sent()
  const until = isStored ? (view.earlier()?.repeatableUntil ?? null) : null
  const ask = (event: BeforeUnloadEvent) => event.preventDefault()
  const end = () => {
    view.forget()
    if (maxViews !== 0) return
    hideKey(id)
    byId('left').textContent = translate('left-none')
  }
  const acknowledge = () => api.ack(id, { ...(access && { access }), claim }).then(end, () => {})
  const onCopied = () => {
    removeEventListener('beforeunload', ask)
    void acknowledge()
  }
  copyOnClick(() => inputById('secret').value, onCopied)
  inputById('secret').addEventListener('copy', ({ target }) => {
    const { selectionStart, selectionEnd, value } = target as HTMLTextAreaElement
    if (selectionStart === 0 && selectionEnd === value.length) onCopied()
  })
  if (maxViews === 0 && text) addEventListener('beforeunload', ask)
  // Nothing could repeat the view.
  if (until === null) return void acknowledge()
  if (maxViews === 0) byId('left').textContent = translate('left-again', { time: formatClock(until) })
  setTimeout(end, until - Date.now())
}

function show({ maxViews, expiresAt }: ViewedSecret, text: string | null, isOther: boolean): void {
  byId('open').remove()
  byId('left').textContent =
    maxViews === 0 ? translate('left-none') : translate('left-some', { date: formatTime(expiresAt) })
  byId('mismatch').hidden = !isOther
  if (text === null) showText('problem', translate('not-text'))
  inputById('secret').classList.toggle('long', hasLongLine(text ?? ''))
  inputById('secret').value = text ?? ''
  byId('opened').hidden = false
  byId('heading').textContent = translate('opened')
  byId('heading').focus()
}

function showGone(reason: string, openedAt = 0): void {
  byId('heading').textContent = translate('gone-heading')
  byId('open').hidden = true
  showText('problem', translate(reason, { time: formatTime(openedAt) }))
}

const goneReason = (view: ClaimedView): string => (view.earlier() ? 'gone-maybe-here' : 'secret.not_found')

const describeAgain = (view: ClaimedView): string | null =>
  translate('opens-again', { time: formatClock(view.earlier()?.repeatableUntil ?? 0) })

/** The error to show: after a request whose outcome is not known, no text says that the secret was not opened. */
function describeFailure(error: unknown, view: ClaimedView): unknown {
  const earlier = view.earlier()
  if (!earlier || (error instanceof Error && error.name === 'DecryptError')) return error
  if (error instanceof ApiError && error.code === 'secret.password_wrong') {
    return new UnknownOutcomeError(translate('wrong-again') ?? '')
  }
  if (error instanceof ApiError && !isOutcomeUnknown(error)) return error
  const { repeatableUntil: until } = earlier
  const text = until ? translate('maybe-opened', { time: formatClock(until) }) : translate('maybe-opened-strict')
  return new UnknownOutcomeError(text ?? '')
}

const formatClock = (time: number): string => formatTimeOfDay(time, language)

const isGone = (error: unknown): boolean => error instanceof ApiError && error.code === 'secret.not_found'
