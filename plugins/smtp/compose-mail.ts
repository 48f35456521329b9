/** Subject and content of a mail, as text and as HTML. */
import { direction, type Notification, type NotificationType } from '#core'
import { lookUp } from '#shared/look-up'
import type { Mail } from './mailer.js'
import { TEXTS, type Texts } from './texts.js'

interface Context {
  /** A language of `TEXTS`. */
  language: string
  /** Without a trailing slash. */
  publicUrl: string
}

interface Content {
  lines: string[]
  facts: [label: string, value: string][]
  links: [label: string, url: string][]
  reason: string
}

/** Sent without a subscription, so these mails do not mention one. */
const WITHOUT_REASON: NotificationType[] = [
  'test',
  'password-reset',
  'verify-email',
  'secret-code',
  'new-device',
  'account-changed',
]

/** Without the time of their event: their content describes the present. */
const WITHOUT_TIME: NotificationType[] = ['test', 'password-reset', 'verify-email', 'secret-code']

/** Links of mails never open a secret, and mails do not load content from a server. */
export function composeMail(notification: Notification, { language, publicUrl }: Context): Mail {
  const texts = lookUp(TEXTS, language) ?? TEXTS.en
  const { id, type, recipient, unsubscribeUrl } = notification
  const site = new URL(publicUrl).host
  const { subject, text } = texts[type]
  const minutes = 'minutes' in notification.data ? String(notification.data.minutes) : ''
  const content: Content = {
    lines: [
      ...(recipient.username === '' ? [] : [texts.greeting.replace('{{username}}', recipient.username)]),
      ...('change' in notification.data ? [texts['account-changed'][notification.data.change]] : []),
      (cannotSignIn(notification) ? texts['account-changed'].ask : text)
        .replace('{{site}}', site)
        .replace('{{minutes}}', minutes),
    ],
    facts: listFacts(notification, texts, language),
    links: listLinks(notification, texts, publicUrl),
    reason: WITHOUT_REASON.includes(type) ? '' : texts.reason.replace('{{site}}', site),
  }
  return {
    id,
    to: recipient.address,
    subject: `${subject} – ${site}`,
    unsubscribeUrl,
    language,
    text: toText(content),
    html: toHtml(content, language),
  }
}

/** After these changes, a link to the account or a new password would not help. */
const cannotSignIn = ({ data }: Notification): boolean =>
  'change' in data && (data.change === 'suspended' || data.change === 'deleted')

function listFacts({ type, at, data }: Notification, { facts }: Texts, language: string): Content['facts'] {
  const toTime = createTimeFormat(language)
  const known = {
    ...('code' in data && { code: data.code }),
    ...('sender' in data && data.sender !== null && { sender: withoutLinks(data.sender) }),
    ...(!WITHOUT_TIME.includes(type) && { time: toTime(at) }),
    ...('createdAt' in data && { created: toTime(data.createdAt) }),
    ...('secretId' in data && { id: data.secretId }),
    ...('requestId' in data && { id: data.requestId }),
    ...('recipient' in data && typeof data.recipient === 'number' && { recipient: String(data.recipient) }),
    ...('views' in data && { views: String(data.views) }),
    ...('viewsLeft' in data && data.viewsLeft !== null && { viewsLeft: String(data.viewsLeft) }),
    ...('submissions' in data && { submissions: String(data.submissions) }),
    ...('submissionsLeft' in data && { submissionsLeft: String(data.submissionsLeft) }),
    ...('network' in data && data.network !== null && { network: data.network }),
    ...('program' in data && data.program !== '' && { program: data.program }),
    ...('lockedUntil' in data && { lockedUntil: toTime(data.lockedUntil) }),
  }
  return Object.entries(known).map(([name, value]) => [facts[name as keyof Texts['facts']], value])
}

function listLinks(notification: Notification, { links }: Texts, publicUrl: string): Content['links'] {
  const { type, data, unsubscribeUrl } = notification
  if (type === 'test' || type === 'secret-code' || cannotSignIn(notification)) return []
  if (type === 'password-reset') return [[links.reset, data.url]]
  if (type === 'verify-email') return [[links.verify, data.url]]
  if (type === 'new-device' || type === 'account-changed') return [[links.sessions, `${publicUrl}/account/security`]]
  const account: Content['links'][0] =
    type === 'request.submitted'
      ? [links.requests, `${publicUrl}/account/requests`]
      : [links.secrets, `${publicUrl}/account/secrets`]
  return unsubscribeUrl === null ? [account] : [account, [links.unsubscribe, unsubscribeUrl]]
}

/**
 * A username with dots may look like a host. A word joiner, which has no width, keeps mail programs from linking it.
 */
const withoutLinks = (username: string): string => username.replaceAll('.', '\u2060.\u2060')

/** In UTC, because the time zone of a user is unknown. */
function createTimeFormat(language: string): (at: number) => string {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
  return (at) => `${format.format(at)} UTC`
}

function toText({ lines, facts, links, reason }: Content): string {
  const list = (pairs: [string, string][]) => pairs.map(([label, value]) => `${label}: ${value}`).join('\n')
  return `${[...lines, list(facts), list(links), reason].filter((part) => part !== '').join('\n\n')}\n`
}

function toHtml({ lines, facts, links, reason }: Content, language: string): string {
  const rows = facts.map(
    ([label, value]) =>
      `<tr><td style="padding:2px 16px 2px 0;color:#666">${escapeHtml(label)}</td><td><bdi>${escapeHtml(value)}</bdi></td></tr>`,
  )
  const anchors = links.map(([label, url]) => `<p><a href="${escapeHtml(url)}">${escapeHtml(label)}</a></p>`)
  return [
    `<!doctype html><html lang="${language}" dir="${direction(language)}"><head><meta charset="utf-8"></head>`,
    '<body style="font-family:sans-serif;line-height:1.5;max-width:36em">',
    ...lines.map((line) => `<p>${escapeHtml(line)}</p>`),
    rows.length > 0 ? `<table>${rows.join('')}</table>` : '',
    ...anchors,
    reason === '' ? '' : `<p style="color:#666">${escapeHtml(reason)}</p>`,
    '</body></html>\n',
  ].join('')
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => lookUp(ENTITIES, character) ?? character)
