/** `mayfly secret create`: sealed here, stored there, one line on stdout. */
import type { CreatedSecret, CreateSecret, PublicSettings } from '#shared/api'
import type { Client } from '#shared/client'
import { decodeText } from '#shared/envelope'
import { newClaim } from '#shared/keys'
import { TITLE_MAX } from '#shared/limits'
import { formatLink, parseLink } from '#shared/link'
import { seal } from '#shared/sealing'
import type { GlobalFlags } from '../command.js'
import type { CreateFlags } from '../commands/secret-create.js'
import { formatDuration, parseDuration } from '../duration.js'
import { CliError } from '../errors.js'
import type { Io } from '../io.js'
import { expiryOf, isoTime, timesOf } from './expiry.js'
import { textFrom } from './input.js'
import { openOutput } from './output.js'
import { type NewPassword, newPassword } from './password.js'
import { connect, serverAddress } from './server.js'

type Flags = CreateFlags & GlobalFlags

/** What the flags and stdin say, checked. */
interface Order {
  text: Buffer
  /** Seconds. */
  ttl: number
  maxViews: number | undefined
  password: string | undefined
}

interface Stored {
  answer: CreatedSecret
  link: string
  keyless: string
  /** The key alone; null for public secrets. */
  key: string | null
}

/** Throws CliError, or whatever the server answers. */
export async function createSecret(flags: Flags, io: Io): Promise<void> {
  checkFlags(flags, io)
  const ttl = parseDuration('--ttl', flags.ttl)
  const client = connect(await serverAddress(flags), flags, io)
  const output = await openOutput(flags.output, flags.yes, io)
  const { limits } = await client.settings()
  const maxViews = viewsWithin(flags.views, limits)
  if (ttl < limits.ttlMin || ttl > limits.ttlMax) throw new CliError('usage', '--ttl is out of range', rangeOf(limits))
  // Before the text: what is typed ends stdin.
  const chosen = await newPassword(flags, io)
  const text = await textFrom(flags, limits.maxTextBytes, io)
  const stored = await store(flags, { text, ttl, maxViews, password: chosen?.password }, client)
  tell(stored, flags, io)
  if (chosen?.isGenerated && !flags.json) io.tell(`Password: ${chosen.password}\n`)
  await output.write(flags.json ? document(stored, chosen) : lines(stored, flags))
}

function checkFlags({ keep, views, public: isPublic, split, title, generatePassword, json }: Flags, io: Io): void {
  const refuse = (message: string, hint?: string) => {
    throw new CliError('usage', message, hint)
  }
  if (keep && views !== undefined) refuse('--keep and --views do not go together', '--keep limits no views')
  if (isPublic && split) refuse('--public and --split do not go together', 'a public secret has no key')
  if (title !== undefined && (title === '' || title.length > TITLE_MAX || /\p{Cc}/u.test(title))) {
    refuse(`--title must be one line of at most ${TITLE_MAX} characters`)
  }
  if (generatePassword && !json && !io.isTty.stderr) {
    refuse('there is nobody to tell the generated password to', 'use --json, or run it on a terminal')
  }
}

function viewsWithin(views: string | undefined, { maxViews }: PublicSettings['limits']): number | undefined {
  if (views === undefined) return undefined
  const count = /^\d{1,9}$/.test(views) ? Number(views) : 0
  if (count < 1 || count > maxViews) throw new CliError('usage', `--views must be 1 to ${maxViews}`)
  return count
}

const rangeOf = ({ ttlMin, ttlMax }: PublicSettings['limits']) =>
  `this server takes ${formatDuration(ttlMin)} to ${formatDuration(ttlMax)}`

async function store(flags: Flags, order: Order, client: Client): Promise<Stored> {
  const { body, fragment } = flags.public
    ? { body: publicBody(flags, order), fragment: null }
    : await sealed(flags, order)
  const answer = await client.create(body, newClaim())
  // Taken apart and put together again: what goes to stdout is a link and nothing else, whatever was answered.
  const { base, id } = parseLink(answer.url)
  const keyless = `${base}/secret/${id}`
  return { answer, keyless, key: fragment, link: formatLink(keyless, fragment) }
}

function sealed({ title, allowIp, keep }: Flags, { text, ttl, maxViews, password }: Order) {
  return seal({
    text,
    ttl,
    preventBurn: keep ?? false,
    ...(title === undefined ? {} : { title }),
    ...(maxViews === undefined ? {} : { maxViews }),
    ...(password === undefined ? {} : { password }),
    ...(allowIp === undefined ? {} : { allowedIp: allowIp }),
  })
}

function publicBody({ title, allowIp, keep }: Flags, { text, ttl, maxViews, password }: Order): CreateSecret {
  const readable = decodeText(text)
  if (readable === null) throw new CliError('usage', 'a public secret must be text', 'leave out --public')
  return {
    text: readable,
    ttl,
    isPublic: true,
    preventBurn: keep ?? false,
    ...(title === undefined ? {} : { title }),
    ...(maxViews === undefined ? {} : { maxViews }),
    ...(password === undefined ? {} : { password }),
    ...(allowIp === undefined ? {} : { allowedIp: allowIp }),
  }
}

function tell({ answer }: Stored, flags: Flags, io: Io): void {
  io.note(`created: opens ${timesOf(answer.maxViews)}, expires ${expiryOf(answer.expiresAt, Date.now())}`)
  if (flags.public) io.warn('public: it is not encrypted, and everyone can find and read it')
}

const lines = ({ link, keyless, key }: Stored, { split }: Flags) => (split ? `${keyless}\n${key}\n` : `${link}\n`)

function document({ answer, link, keyless, key }: Stored, chosen: NewPassword | null): string {
  const { id, kind, expiresAt, maxViews, burnToken } = answer
  return `${JSON.stringify({
    id,
    kind,
    link,
    key,
    link_without_key: keyless,
    expires_at: isoTime(expiresAt),
    views: maxViews,
    has_password: chosen !== null,
    burn_token: burnToken,
    ...(chosen?.isGenerated ? { password: chosen.password } : {}),
  })}\n`
}
