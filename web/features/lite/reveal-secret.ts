/** The lite page that reveals a secret. Nothing uses up a view before the click, and retries use the same claim. */
import type { SecretExists, ViewedSecret } from '#shared/api'
import { ApiError } from '#shared/client/client'
import { decryptViewed } from '#shared/crypto/encrypt-secret'
import { decodeText } from '#shared/crypto/envelope'
import { accessProof, deriveKeys, newClaim } from '#shared/crypto/keys'
import { isRawId, isSecretId, LinkError, parseFragment, parseLink } from '#shared/link'
import { formatNumber } from '../../lib/format.js'
import { withBase } from '../../lib/site.js'
import {
  api,
  byId,
  copyOnClick,
  errorMessage,
  formatTime,
  inputById,
  language,
  onSubmit,
  showText,
  TamperedError,
  translate,
} from './dom.js'

/** State of the history entry: this browser used the last view. */
const SPENT = 'spent'
/** Above the limit of any instance. */
const TEXT_MAX = 64 * 2 ** 20

export async function initRevealPage(id: string): Promise<void> {
  const claim = newClaim()
  let fragment = location.hash.slice(1)
  let meta: SecretExists | null = null
  let received: ViewedSecret | null = null
  linkFullVersion(id, fragment)

  function showForm(): void {
    byId('open').hidden = false
    byId('key-field').hidden = meta !== null
    byId('password-field').hidden = !meta?.passwordRequired
    byId('facts').textContent = describeFacts(meta)
  }

  async function open(): Promise<void> {
    if (!meta) {
      const typed = inputById('key').value.trim()
      const key = /^\W*https?:/i.test(typed) ? (parseLink(typed).fragment ?? '') : typed
      const found = await checkSealed(id, key)
      fragment = key
      meta = found
      linkFullVersion(id, fragment)
    }
    const password = inputById('password').value
    if (meta.passwordRequired && password === '') {
      showForm()
      inputById('password').focus()
      return
    }
    if (meta.files > 0) return showText('problem', translate('has-files'))
    const isSealed = fragment !== '' || meta.kind === 'sealed'
    const keys = isSealed ? await deriveKeys(parseFragment(fragment), password) : null
    const proofs = keys
      ? { access: keys.access, ...(keys.passwordProof && { password: keys.passwordProof }) }
      : { ...(password && { password }) }
    received ??= await api.view(id, { ...proofs, claim })
    const opened = keys ? await decryptViewed(received, keys.passphrase, TEXT_MAX) : null
    if (received.maxViews === 0) removeKey(id)
    show(received, opened ? decodeText(opened.text) : received.text, (opened?.warnings.length ?? 0) > 0)
    api.ack(id, { ...(keys && { access: keys.access }), claim }).catch(() => {})
  }

  onSubmit(byId('open'), () =>
    open().catch((error) => {
      if (isGone(error) && meta) showGone()
      throw error
    }),
  )
  copyOnClick(() => inputById('secret').value)
  try {
    meta = await checkSecret(id, fragment)
    showForm()
  } catch (error) {
    if (isGone(error)) showGone()
    showText('problem', errorMessage(error))
  }
}

/** Null: the server needs a key. Throws LinkError before any request. */
async function checkSecret(id: string, fragment: string): Promise<SecretExists | null> {
  if (!isSecretId(id)) throw new LinkError('not-a-link')
  if (fragment) return checkSealed(id, fragment)
  return api.peek(id).catch((error) => {
    // After the last view, a key would not help.
    if (isGone(error) && !isRawId(id) && history.state !== SPENT) return null
    throw error
  })
}

/**
 * Checks a secret whose key is known. Only sealed secrets have keys: a server that reports another kind wants to read the
 * password or to replace the text. Throws TamperedError then, and LinkError before any request.
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

/** Removes the key from the page, the address bar and the history. */
function removeKey(id: string): void {
  history.replaceState(SPENT, '', location.pathname)
  linkFullVersion(id, '')
}

function show({ maxViews, expiresAt }: ViewedSecret, text: string | null, isOther: boolean): void {
  byId('open').remove()
  byId('left').textContent =
    maxViews === 0 ? translate('left-none') : translate('left-some', { date: formatTime(expiresAt) })
  byId('mismatch').hidden = !isOther
  if (text === null) showText('problem', translate('not-text'))
  inputById('secret').value = text ?? ''
  byId('opened').hidden = false
  byId('heading').textContent = translate('opened')
  byId('heading').focus()
}

function showGone(): void {
  byId('heading').textContent = translate('gone-heading')
  byId('open').hidden = true
}

const isGone = (error: unknown): boolean => error instanceof ApiError && error.code === 'secret.not_found'
