/** From a link to its text. Nothing is used up before the click, and one opening is one view however often it is tried. */
import type { SecretExists, ViewedSecret } from '#shared/api'
import { ApiError } from '#shared/client'
import { decodeText } from '#shared/envelope'
import { accessProof, deriveKeys, newClaim } from '#shared/keys'
import { isRawId, isSecretId, LinkError, parseFragment, parseLink } from '#shared/link'
import { openViewed } from '#shared/sealing'
import { number } from '../../lib/format.js'
import { address } from '../../lib/site.js'
import { api, copyOnClick, field, language, moment, onSubmit, place, problemOf, tell, word } from './dom.js'

/** Larger than any instance takes: what is too large for this page does not arrive in the first place. */
const TEXT_MAX = 64 * 2 ** 20

export async function startOpening(id: string): Promise<void> {
  const claim = newClaim()
  let fragment = location.hash.slice(1)
  let meta: SecretExists | null = null
  let received: ViewedSecret | null = null
  place<HTMLAnchorElement>('full').href = address(`/secret/${id}${location.hash}`)

  /** Asks without viewing. Null: nothing is there for somebody without a key. */
  async function look(): Promise<SecretExists | null> {
    if (!isSecretId(id)) throw new LinkError('not-a-link')
    if (fragment) return api.exist(id, accessProof(parseFragment(fragment)))
    return api.exist(id).catch((error) => {
      if (isGone(error) && !isRawId(id)) return null
      throw error
    })
  }

  function showForm(): void {
    place('open').hidden = false
    place('key-field').hidden = meta !== null
    place('password-field').hidden = !meta?.passwordRequired
    place('facts').textContent = factsOf(meta)
  }

  async function open(): Promise<void> {
    if (!meta) {
      const typed = field('key').value.trim()
      const key = /^\W*https?:/i.test(typed) ? (parseLink(typed).fragment ?? '') : typed
      const found = await api.exist(id, accessProof(parseFragment(key)))
      fragment = key
      meta = found
      place<HTMLAnchorElement>('full').href = address(`/secret/${id}#${fragment}`)
    }
    const password = field('password').value
    if (meta.passwordRequired && password === '') {
      showForm()
      field('password').focus()
      return
    }
    if (meta.files > 0) return tell('problem', word('has-files'))
    const keys = meta.kind === 'sealed' ? await deriveKeys(parseFragment(fragment), password) : null
    const proofs = keys
      ? { access: keys.access, ...(keys.passwordProof && { password: keys.passwordProof }) }
      : { ...(password && { password }) }
    received ??= await api.view(id, { ...proofs, claim })
    const opened = keys ? await openViewed(received, keys.passphrase, TEXT_MAX) : null
    show(received, opened ? decodeText(opened.text) : received.text, (opened?.mismatches.length ?? 0) > 0)
    api.ack(id, { ...(keys && { access: keys.access }), claim }).catch(() => {})
  }

  onSubmit(place('open'), () =>
    open().catch((error) => {
      if (isGone(error) && meta) showGone()
      throw error
    }),
  )
  copyOnClick(() => field('secret').value)
  try {
    meta = await look()
    showForm()
  } catch (error) {
    if (isGone(error)) showGone()
    tell('problem', problemOf(error))
  }
}

function factsOf(meta: SecretExists | null): string | null {
  if (!meta) return word('needs-key')
  if (meta.maxViews === null) return word('opens-until')
  return meta.maxViews === 1 ? word('opens-once') : word('opens-more', { count: number(meta.maxViews, language) })
}

function show({ maxViews, expiresAt }: ViewedSecret, text: string | null, isOther: boolean): void {
  // The key has done its work: neither the address bar nor the history keeps it.
  history.replaceState(null, '', location.pathname)
  place('open').remove()
  place('left').textContent = maxViews === 0 ? word('left-none') : word('left-some', { date: moment(expiresAt) })
  place('mismatch').hidden = !isOther
  if (text === null) tell('problem', word('not-text'))
  field('secret').value = text ?? ''
  place('opened').hidden = false
  place('heading').textContent = word('opened')
  place('heading').focus()
}

function showGone(): void {
  place('heading').textContent = word('gone-heading')
  place('open').hidden = true
}

const isGone = (error: unknown): boolean => error instanceof ApiError && error.code === 'secret.not_found'
