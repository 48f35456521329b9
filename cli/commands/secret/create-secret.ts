/** `mayfly secret create`: encrypts locally, stores on the server, prints the link. */
import type { CreatedSecret, CreateSecret } from '#shared/api'
import type { Client } from '#shared/client/client'
import { burnAfterAbort, createSecretOnce } from '#shared/client/create-once'
import { buildCreatedLinks } from '#shared/client/created-links'
import { withRetry } from '#shared/client/retry'
import { type DraftFile, encryptSecret } from '#shared/crypto/encrypt-secret'
import { decodeText } from '#shared/crypto/envelope'
import { RECIPIENTS_MAX, TITLE_MAX } from '#shared/limits'
import { isEmailAddress, parseRecipients } from '#shared/recipient-list'
import { readClientConfig } from '../../client/client-config.js'
import { connectToServer } from '../../client/connect.js'
import { chooseLinkBase, listLinkAddresses } from '../../client/link-base.js'
import { checkLabel, storeLabels } from '../../client/secret-labels.js'
import { explainUnknownOutcome } from '../../client/unknown-outcome.js'
import { checkFileFlags, checkUploadsAllowed, type FileFlags } from '../../files/attachments.js'
import { isStdout, openOutput } from '../../files/output-file.js'
import { withUploads } from '../../files/upload-files.js'
import { CliError } from '../../lib/cli-error.js'
import { omitUndefined } from '../../lib/omit-undefined.js'
import { parseDuration } from '../../output/duration.js'
import { describeError } from '../../output/error-output.js'
import type { Io } from '../../output/io.js'
import { warnAboutNotify } from '../../output/warn-about-notify.js'
import { applyPreset, type PresetFlags } from '../../secrets/apply-preset.js'
import { checkLifetime, checkRequired, chooseViews } from '../../secrets/follow-policy.js'
import { resolveNewPassword } from '../../secrets/secret-password.js'
import type { GlobalFlags } from '../command.js'
import type { NamedSecret } from './create-copies.js'
import { type CopiesFlags, checkCopiesFlags, readLinkNames } from './link-names.js'
import { formatJson, formatLines, listSensitiveValues, printSummary, type StoredSecret } from './print-created.js'
import { readContent, type SecretContent } from './read-content.js'
import { checkShareFlags, type ShareFlags, shareLink } from './share-link.js'

export interface CreateFlags extends PresetFlags, FileFlags, ShareFlags, CopiesFlags {
  server?: string
  title?: string
  allowIp?: string
  public?: true
  text?: string
  edit?: true
  chomp?: boolean
  label?: string
  split?: true
  output?: string
}

type Flags = CreateFlags & GlobalFlags

interface Target {
  client: Client
  /** Addresses that links may begin with. */
  addresses: string[]
}

/** Validated input from flags and stdin. */
interface CreateInput {
  content: SecretContent
  /** Seconds. */
  ttl: number
  maxViews: number | undefined
  recipients: string[]
  password: string | undefined
}

/** Throws CliError or ApiError. */
export async function createSecret(given: Flags, io: Io): Promise<void> {
  checkFlags(given, io)
  const defaults = readClientConfig(given, io)
  parseTtl(given.ttl ?? defaults.ttl)
  const names = await readLinkNames(given, io)
  const { client, server, credential } = await connectToServer(null, given, io)
  const output = await openOutput(given.output, given.yes, io)
  const settings = await client.settings()
  const flags = applyPreset(given, settings)
  checkFlags(flags, io)
  const recipients = parseTo(flags)
  const ttl = parseTtl(flags.ttl ?? defaults.ttl) ?? settings.policy.ttl
  const views = flags.views ?? (flags.keep ? undefined : defaultViews(recipients, defaults.views))
  const maxViews = chooseViews(Object.assign({}, flags, { views }), settings)
  checkLifetime(ttl, settings)
  checkUploadsAllowed(flags.file?.length ?? 0, settings)
  // Before the text: Ctrl-D after a typed text ends stdin.
  const chosen = await resolveNewPassword(flags, io)
  checkRequired({ hasPassword: chosen !== null, allowIp: flags.allowIp }, settings)
  const content = await readContent(flags, settings, io)
  const target = { client, addresses: listLinkAddresses(server, flags, io) }
  const order = { content, ttl, maxViews, recipients, password: chosen?.password }
  const keepLabels = async (made: NamedSecret[]) => {
    if (credential && made.length > 0) await keepAllLabels(server, made, io)
  }
  if (names) {
    const create = (files: DraftFile[], signal: AbortSignal) => createOnServer(flags, order, files, target, signal)
    const job = { names, files: content.files, client, chosen, output, isFile: !isStdout(flags.output), create }
    const { createCopies } = await import('./create-copies.js')
    return createCopies(job, flags, keepLabels, io)
  }
  const stored = await withUploads(content.files, client, { mode: flags.progress, io }, (files, signal) =>
    createOnServer(flags, order, files, target, signal),
  )
  if (flags.label !== undefined) await keepLabels([{ stored, label: flags.label }])
  // First, so that masks are printed before the values.
  await shareLink(flags.split ? stored.linkWithoutKey : stored.link, listSensitiveValues(stored, chosen), flags, io)
  printSummary(stored, flags, io)
  warnAboutNotify(stored.created, io)
  if (stored.created.receipt && !flags.json) io.writeErr(`Receipt: ${stored.created.receipt}\n`)
  if (chosen?.isGenerated && !flags.json) io.writeErr(`Password: ${chosen.password}\n`)
  try {
    await output.write(flags.json ? formatJson(stored, chosen, flags) : formatLines(stored, flags))
    await output.close()
  } catch (error) {
    throw await burnWithoutLink(error, stored, client)
  }
}

/** Without its link, a secret is of no use. Returns the error to throw. */
async function burnWithoutLink(error: unknown, { created: { id, burnToken } }: StoredSecret, client: Client) {
  const { outcome, message } = describeError(error)
  const hint = await client.burn(id, { burnToken }).then(
    () => 'the secret was deleted again, because its link is lost',
    () => 'the link of the created secret is lost; the secret expires',
  )
  return new CliError(outcome, message, hint, { cause: error })
}

/** For `secret list`. The secrets exist already, so a failure is only reported. */
async function keepAllLabels(server: string, made: NamedSecret[], io: Io) {
  try {
    const secrets = made.map(({ stored: { created }, label }) => ({
      id: created.id,
      expiresAt: created.expiresAt,
      label,
    }))
    await storeLabels(server, secrets, io)
  } catch (error) {
    io.note(`the label is not stored: ${(error as Error).message}`)
  }
}

function checkFlags(flags: Flags, io: Io): void {
  const { preset, keep, views, public: isPublic, split, title, label, generatePassword, json, file } = flags
  const refuse = (message: string, hint?: string) => {
    throw new CliError('usage', message, hint)
  }
  if (keep && views !== undefined) refuse('--keep and --views exclude each other', '--keep allows any number of views')
  if (isPublic && preset !== undefined) refuse('--public and --preset exclude each other')
  if (isPublic && split) refuse('--public and --split exclude each other', 'a public secret has no key')
  if (isPublic && file) refuse('--public and --file exclude each other', 'a public secret is a text')
  if (label !== undefined) checkLabel(label)
  if (title !== undefined && (title === '' || title.length > TITLE_MAX || /\p{Cc}/u.test(title))) {
    refuse(`--title must be one line of at most ${TITLE_MAX} characters`)
  }
  if (generatePassword && !json && !io.isTty.stderr) {
    refuse('nowhere to print the generated password', 'use --json, or run it on a terminal')
  }
  checkFileFlags(flags)
  checkCopiesFlags(flags)
  checkShareFlags(flags, io)
}

/** Seconds. Throws CliError `usage`. */
const parseTtl = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : parseDuration('--ttl', text)

/** Throws CliError `usage`. */
function parseTo({ to = [], public: isPublic }: Flags): string[] {
  const recipients = parseRecipients(to.join(','))
  if (isPublic && to.length > 0)
    throw new CliError('usage', '--public and --to exclude each other', 'everyone can read a public secret')
  if (recipients.length > RECIPIENTS_MAX) throw new CliError('usage', `--to accepts up to ${RECIPIENTS_MAX} addresses`)
  const wrong = recipients.find((each) => !isEmailAddress(each))
  if (wrong !== undefined) throw new CliError('usage', '--to must be an e-mail address')
  return recipients
}

/** Each recipient has one view. */
const defaultViews = (recipients: string[], configured: string | undefined): string | undefined =>
  recipients.length > 0 ? String(recipients.length) : configured

async function createOnServer(
  flags: Flags,
  order: CreateInput,
  files: DraftFile[],
  { client, addresses }: Target,
  signal: AbortSignal,
): Promise<StoredSecret> {
  const { body, fragment } = flags.public
    ? { body: buildPublicBody(flags, order), fragment: null }
    : await sealBody(flags, order, files)
  const { recipients } = order
  const asked = {
    ...(flags.notify && { notify: true }),
    ...(flags.receipt && { receipt: true }),
    ...(recipients.length > 0 && { recipients }),
  }
  const create = createSecretOnce(client, { ...body, ...asked })
  try {
    // Many links reach the limit on creates. With files, each create is retried anyway.
    const isRetried = files.length === 0 && (flags.copies !== undefined || flags.toFile !== undefined)
    const creating = isRetried ? withRetry(() => create({ signal }), { signal }) : create({ signal })
    const next = () => 'run it again: the link of a secret that was created without a response is lost'
    const created = await explainUnknownOutcome(creating, 'the secret was created', next)
    return { ...(await buildLinks(created, fragment, { client, addresses })), files }
  } catch (error) {
    if (signal.aborted) await burnAfterAbort(client, create)
    throw error
  }
}

/**
 * Builds the links from an address that the user trusts. Burns the secret and throws CliError if the server names
 * another one.
 */
async function buildLinks(
  created: CreatedSecret,
  fragment: string | null,
  { client, addresses }: Target,
): Promise<Omit<StoredSecret, 'files'>> {
  const { id, url, burnToken } = created
  try {
    const { receipt, ...links } = buildCreatedLinks(created, fragment, chooseLinkBase(url, addresses))
    return { created: { ...created, ...(receipt && { receipt }) }, key: fragment, ...links }
  } catch (error) {
    await client.burn(id, { burnToken }).catch(() => {})
    throw error
  }
}

function sealBody(
  { title, allowIp, keep }: Flags,
  { content, ttl, maxViews, password }: CreateInput,
  files: DraftFile[],
) {
  return encryptSecret({
    text: content.text,
    files,
    ttl,
    preventBurn: keep ?? false,
    ...omitUndefined({ title, maxViews, password, allowedIp: allowIp }),
  })
}

function buildPublicBody(
  { title, allowIp, keep }: Flags,
  { content, ttl, maxViews, password }: CreateInput,
): CreateSecret {
  const readable = decodeText(content.text)
  if (readable === null) throw new CliError('usage', 'a public secret must be text', 'leave out --public')
  return {
    text: readable,
    ttl,
    isPublic: true,
    preventBurn: keep ?? false,
    ...omitUndefined({ title, maxViews, password, allowedIp: allowIp }),
  }
}
