/** The lite page that creates a secret. */
import type { PublicSettings } from '#shared/api'
import { ApiError, isOutcomeUnknown } from '#shared/client/client'
import { type EncryptedSecret, encryptSecret } from '#shared/crypto/encrypt-secret'
import { encodeText } from '#shared/crypto/envelope'
import { newClaim } from '#shared/crypto/keys'
import { listLifetimes } from '#shared/lifetimes'
import { formatLink } from '#shared/link'
import { parseLink } from '#shared/parse-links'
import { formatDuration } from '../../lib/format.js'
import { linkBase, withBase } from '../../lib/site.js'
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
  translate,
  UnknownOutcomeError,
} from './dom.js'

const HOUR_S = 3600
const LIFETIMES_S = [HOUR_S, 12 * HOUR_S, 24 * HOUR_S, 3 * 24 * HOUR_S, 7 * 24 * HOUR_S]
const DAY_S = 24 * HOUR_S

export function initCreatePage(): void {
  const ttl = byId<HTMLSelectElement>('ttl')
  ttl.append(...LIFETIMES_S.map((seconds) => newOption(seconds, DAY_S)))
  void applySettings()
  /** The last encrypted draft, so that a retry creates no second secret. */
  let last: { of: string; sealed: EncryptedSecret; name: string } | null = null

  onSubmit(byId('create'), async () => {
    const draft = {
      text: inputById('text').value,
      ttl: Number(ttl.value),
      maxViews: Number(inputById('views').value),
      password: inputById('password').value,
    }
    const of = JSON.stringify(draft)
    if (last?.of !== of)
      last = { of, sealed: await encryptSecret({ ...draft, text: encodeText(draft.text) }), name: newClaim() }
    const { sealed, name } = last
    const { id, expiresAt } = await api.create(sealed.body, name).catch(explain)
    byId('link').textContent = formatLink(`${linkBase()}/secret/${id}`, sealed.fragment)
    byId('expiry').textContent = translate('expires', { date: formatTime(expiresAt) })
    last = null
    for (const id of ['lede', 'create', 'goto']) byId(id).remove()
    byId('created').hidden = false
    byId('heading').textContent = translate('created')
    byId('heading').focus()
  })
  copyOnClick(() => byId('link').textContent ?? '')

  onSubmit(byId('goto'), async () => {
    const { id, fragment } = parseLink(inputById('address').value)
    location.assign(formatLink(withBase(`/lite/${id}`), fragment))
  })
}

/** Offers only what the policy allows, and replaces the form by the reason when the caller may not create secrets. */
async function applySettings(): Promise<void> {
  // Without the settings, the server refuses forbidden options.
  const settings = await api.settings().catch(() => null)
  if (!settings) return
  applyPolicy(settings)
  // This page has no field for an address.
  if (settings.canCreate && !settings.policy.addressRequired) return
  const isForAdmins = settings.who_can_create === 'admins'
  const forOthers =
    settings.who_can_create === 'users' && !settings.policy.addressRequired ? 'settings.users_only' : 'settings.policy'
  const forUsers = settings.emailUnverified ? 'auth.email_unverified' : forOthers
  const forMembers = settings.deniedByGroups ? 'auth.not_creator' : forUsers
  const code = settings.read_only ? 'settings.read_only' : isForAdmins ? 'settings.admins_only' : forMembers
  byId('create').hidden = true
  byId('sign-in').hidden = code !== 'settings.users_only'
  showText('problem', translate(code))
}

function applyPolicy({ policy, limits }: PublicSettings): void {
  const lifetimes = listLifetimes(policy.lifetimes, LIFETIMES_S)
  const options = lifetimes.length > 0 ? lifetimes : [policy.ttl]
  byId('ttl').replaceChildren(...options.map((seconds) => newOption(seconds, policy.ttl)))
  const views = inputById('views')
  views.max = String(limits.maxViews)
  views.value = String(policy.views)
  byId('views-field').hidden = limits.maxViews === 1
  byId('once').hidden = limits.maxViews > 1
  inputById('password').required = policy.passwordRequired
}

function newOption(seconds: number, selected: number): HTMLOptionElement {
  return new Option(formatDuration(seconds, language), String(seconds), seconds === selected, seconds === selected)
}

/**
 * Shows a link to the sign-in page if the user has to sign in. Throws UnknownOutcomeError when the secret may have been
 * created, else the error.
 */
function explain(error: unknown): never {
  if (error instanceof ApiError && error.code === 'settings.users_only') byId('sign-in').hidden = false
  if (isOutcomeUnknown(error)) throw new UnknownOutcomeError(`${errorMessage(error)} ${translate('maybe-created')}`)
  throw error
}
