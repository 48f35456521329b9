/** `mayfly secret create`: sealed here, stored there, one line on stdout. */
import type { CreatedSecret, CreateSecret, PublicSettings } from '#shared/api'
import type { Client } from '#shared/client/client'
import { withRetry } from '#shared/client/retry'
import { type DraftFile, encryptSecret } from '#shared/crypto/encrypt-secret'
import { decodeText } from '#shared/crypto/envelope'
import { newClaim } from '#shared/crypto/keys'
import { TITLE_MAX } from '#shared/limits'
import { formatLink, parseLink } from '#shared/link'
import { connectAs } from '../../client/connect.js'
import { checkFileFlags, checkMayAttach, type FileFlags } from '../../files/attachments.js'
import { openOutput } from '../../files/output-file.js'
import { sendFiles, takeBack } from '../../files/send-files.js'
import { CliError } from '../../lib/cli-error.js'
import { interruptible } from '../../lib/signals.js'
import { formatDuration, parseDuration } from '../../output/duration.js'
import type { Io } from '../../output/io.js'
import { type NewPasswordFlags, newPassword } from '../../secrets/secret-password.js'
import type { GlobalFlags } from '../command.js'
import { document, lines, type Stored, secretsOf, tell } from './print-created.js'
import { type Content, contentFrom } from './read-content.js'
import { checkHandOver, type HandOverFlags, handOver } from './share-link.js'

export interface CreateFlags extends NewPasswordFlags, FileFlags, HandOverFlags {
  server?: string
  ttl: string
  views?: string
  keep?: true
  title?: string
  allowIp?: string
  public?: true
  text?: string
  edit?: true
  chomp: boolean
  label?: string
  split?: true
  output?: string
}

type Flags = CreateFlags & GlobalFlags

/** What the flags and stdin say, checked. */
interface Order {
  content: Content
  /** Seconds. */
  ttl: number
  maxViews: number | undefined
  password: string | undefined
}

/** Throws CliError, or whatever the server answers. */
export async function createSecret(flags: Flags, io: Io): Promise<void> {
  checkFlags(flags, io)
  const ttl = parseDuration('--ttl', flags.ttl)
  const { client } = await connectAs(null, flags, io)
  const output = await openOutput(flags.output, flags.yes, io)
  const settings = await client.settings()
  const maxViews = viewsWithin(flags.views, settings.limits)
  checkLifetime(ttl, settings.limits)
  checkMayAttach(flags.file?.length ?? 0, settings)
  // Before the text: what is typed ends stdin.
  const chosen = await newPassword(flags, io)
  const content = await contentFrom(flags, settings, io)
  const stored = await store(flags, { content, ttl, maxViews, password: chosen?.password }, client, io)
  // Before anything else can show it.
  await handOver(flags.split ? stored.keyless : stored.link, secretsOf(stored, chosen), flags, io)
  tell(stored, flags, io)
  if (chosen?.isGenerated && !flags.json) io.tell(`Password: ${chosen.password}\n`)
  await output.write(flags.json ? document(stored, chosen, flags) : lines(stored, flags))
  await output.close()
}

function checkFlags(flags: Flags, io: Io): void {
  const { keep, views, public: isPublic, split, title, label, generatePassword, json, file } = flags
  const refuse = (message: string, hint?: string) => {
    throw new CliError('usage', message, hint)
  }
  if (keep && views !== undefined) refuse('--keep and --views do not go together', '--keep limits no views')
  if (isPublic && split) refuse('--public and --split do not go together', 'a public secret has no key')
  if (isPublic && file) refuse('--public and --file do not go together', 'a public secret is a text')
  if (label !== undefined && (label === '' || /[\p{Cc}]/u.test(label))) refuse('--label must be one line without tabs')
  if (title !== undefined && (title === '' || title.length > TITLE_MAX || /\p{Cc}/u.test(title))) {
    refuse(`--title must be one line of at most ${TITLE_MAX} characters`)
  }
  if (generatePassword && !json && !io.isTty.stderr) {
    refuse('there is nobody to tell the generated password to', 'use --json, or run it on a terminal')
  }
  checkFileFlags(flags)
  checkHandOver(flags, io)
}

function viewsWithin(views: string | undefined, { maxViews }: PublicSettings['limits']): number | undefined {
  if (views === undefined) return undefined
  const count = /^\d{1,9}$/.test(views) ? Number(views) : 0
  if (count < 1 || count > maxViews) throw new CliError('usage', `--views must be 1 to ${maxViews}`)
  return count
}

function checkLifetime(ttl: number, { ttlMin, ttlMax }: PublicSettings['limits']): void {
  if (ttl >= ttlMin && ttl <= ttlMax) return
  const hint = `this server takes ${formatDuration(ttlMin)} to ${formatDuration(ttlMax)}`
  throw new CliError('usage', '--ttl is out of range', hint)
}

/** Sends the files and then what binds them. Whatever ends it before takes the files back. */
async function store(flags: Flags, order: Order, client: Client, io: Io): Promise<Stored> {
  const { files: outgoing } = order.content
  return interruptible(io.ending, async (signal) => {
    const files = await sendFiles(outgoing, client, { mode: flags.progress, signal, io })
    try {
      return await bind(flags, order, files, client, signal)
    } catch (error) {
      await takeBack(files, client)
      throw error
    }
  }).finally(() => Promise.all(outgoing.map((file) => file.close())))
}

async function bind(
  flags: Flags,
  order: Order,
  files: DraftFile[],
  client: Client,
  signal: AbortSignal,
): Promise<Stored> {
  const { body, fragment } = flags.public
    ? { body: publicBody(flags, order), fragment: null }
    : await sealed(flags, order, files)
  const key = newClaim()
  const create = () => client.create(body, key, signal)
  // What took minutes to send is worth to wait for.
  const answer = await (files.length > 0 ? withRetry(create, { signal }) : create())
  return { ...linksTo(answer, fragment), files }
}

/** Taken apart and put together again: what goes to stdout is a link and nothing else, whatever was answered. */
function linksTo(answer: CreatedSecret, fragment: string | null): Omit<Stored, 'files'> {
  const { base, id } = parseLink(answer.url)
  const keyless = `${base}/secret/${id}`
  return { answer, keyless, key: fragment, link: formatLink(keyless, fragment) }
}

function sealed({ title, allowIp, keep }: Flags, { content, ttl, maxViews, password }: Order, files: DraftFile[]) {
  return encryptSecret({
    text: content.text,
    files,
    ttl,
    preventBurn: keep ?? false,
    ...(title === undefined ? {} : { title }),
    ...(maxViews === undefined ? {} : { maxViews }),
    ...(password === undefined ? {} : { password }),
    ...(allowIp === undefined ? {} : { allowedIp: allowIp }),
  })
}

function publicBody({ title, allowIp, keep }: Flags, { content, ttl, maxViews, password }: Order): CreateSecret {
  const readable = decodeText(content.text)
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
