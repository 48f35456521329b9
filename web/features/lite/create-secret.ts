/** From a text to a link. */
import { encodeText } from '#shared/envelope'
import { newClaim } from '#shared/keys'
import { formatLink, parseLink } from '#shared/link'
import { type Sealed, seal } from '#shared/sealing'
import { duration } from '../../lib/format.js'
import { address } from '../../lib/site.js'
import { api, copyOnClick, field, language, moment, onSubmit, place, word } from './dom.js'

const HOUR_S = 3600
const LIFETIMES_S = [HOUR_S, 12 * HOUR_S, 24 * HOUR_S, 3 * 24 * HOUR_S, 7 * 24 * HOUR_S]
const DAY_S = 24 * HOUR_S

export function startCreating(): void {
  const ttl = place<HTMLSelectElement>('ttl')
  for (const seconds of LIFETIMES_S) {
    ttl.append(new Option(duration(seconds, language), String(seconds), seconds === DAY_S, seconds === DAY_S))
  }
  /** What was sealed last, so that trying again makes no second secret. */
  let last: { of: string; sealed: Sealed; name: string } | null = null

  onSubmit(place('create'), async () => {
    const draft = {
      text: field('text').value,
      ttl: Number(ttl.value),
      maxViews: Number(field('views').value),
      password: field('password').value,
    }
    const of = JSON.stringify(draft)
    if (last?.of !== of) last = { of, sealed: await seal({ ...draft, text: encodeText(draft.text) }), name: newClaim() }
    const { sealed, name } = last
    const { url, expiresAt } = await api.create(sealed.body, name)
    place('link').textContent = formatLink(url, sealed.fragment)
    place('expiry').textContent = word('expires', { date: moment(expiresAt) })
    last = null
    for (const id of ['create', 'goto']) place(id).remove()
    place('created').hidden = false
    place('link-heading').focus()
  })
  copyOnClick(() => place('link').textContent ?? '')

  onSubmit(place('goto'), async () => {
    const { id, fragment } = parseLink(field('address').value)
    location.assign(formatLink(address(`/lite/${id}`), fragment))
  })
}
