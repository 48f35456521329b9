/**
 * Opens several links for one delivery: all links are checked before the first one is opened, and the views are
 * acknowledged when all values are at their place.
 */
import type { SecretExists } from '#shared/api'
import { LinkError } from '#shared/link'
import { connectToServer } from '../client/connect.js'
import type { GlobalFlags } from '../commands/command.js'
import { CliError } from '../lib/cli-error.js'
import { describeError } from '../output/error-output.js'
import type { Io } from '../output/io.js'
import { formatCount } from '../output/sanitize.js'
import { confirmView, type OpenedSecret, openSecret, peekSecret, type SecretAccess } from './open-secret.js'
import { createReadClaim, takeUnfinishedRead } from './read-claims.js'
import { resolveLink, type SecretLink } from './resolve-link.js'

/** A place that the text of a secret fills. */
export interface LinkUse {
  /** In messages: a variable, or a line of a template. */
  name: string
  link: string
}

/** A secret that exists and is not opened yet. All its uses get the text of one view. */
export interface FoundSecret<Use extends LinkUse> {
  uses: Use[]
  access: SecretAccess
  peek: SecretExists
}

export interface ReceivedSecret<Use extends LinkUse> {
  uses: Use[]
  access: SecretAccess
  opened: OpenedSecret
}

/** Different secrets of one delivery. */
const SECRETS_MAX = 256
/** Names in a message. */
const NAMES_MAX = 3

const NOT_A_LINK = 'this is not a link to a secret'
const PLAIN_HINT = '--allow-plain passes values that are not links; nothing was opened'
const KEY_HINT = 'use the whole link, with the key after the #; nothing was opened'

/**
 * Peeks every secret. Returns those with a password first, because a wrong password uses no view. `password`: for all
 * that have one. Throws without using a view; the error names the use.
 */
export async function findSecrets<Use extends LinkUse>(
  uses: Use[],
  password: string | undefined,
  flags: GlobalFlags,
  io: Io,
): Promise<FoundSecret<Use>[]> {
  const groups = await groupUses(uses, flags, io)
  if (groups.length > SECRETS_MAX) {
    throw new CliError('limit', `more than ${SECRETS_MAX} secrets at once`, 'run several commands; nothing was opened')
  }
  const found: FoundSecret<Use>[] = []
  for (const group of groups) found.push(await naming(listNames(group.uses), () => findSecret(group, io)))
  if (found.some(needsPassword) && password === undefined && !io.canPromptHidden()) {
    throw new CliError('usage', 'missing password, and no terminal to ask on', 'use --password-file or --password-fd')
  }
  return found.sort((a, b) => Number(needsPassword(b)) - Number(needsPassword(a)))
}

/**
 * Opens the secrets one after the other and passes each to `receive`. An error of both says how to get the opened ones
 * again.
 */
export async function openSecrets<Use extends LinkUse>(
  found: FoundSecret<Use>[],
  password: string | undefined,
  receive: (secret: ReceivedSecret<Use>) => void | Promise<void>,
  io: Io,
): Promise<ReceivedSecret<Use>[]> {
  const received: ReceivedSecret<Use>[] = []
  for (const each of found) {
    try {
      const opened = await openSecret(each.access, each.peek, needsPassword(each) ? password : undefined, io)
      received.push({ uses: each.uses, access: each.access, opened })
      await receive({ uses: each.uses, access: each.access, opened })
    } catch (error) {
      throw explainDelivery(error, received)
    }
  }
  return received
}

/** Acknowledges all views. Call it when every value is at its place. */
export async function acknowledgeSecrets(received: Pick<ReceivedSecret<LinkUse>, 'access'>[], io: Io): Promise<void> {
  await Promise.all(received.map(({ access }) => confirmView(access, io)))
}

/** Returns the error with a hint how to get the secrets again that were opened before it. */
export function explainDelivery(error: unknown, received: Pick<ReceivedSecret<LinkUse>, 'access'>[]): unknown {
  const [first] = received
  // The error of a view has the hint already.
  const isExplained = describeError(error).hint?.includes('run it again') ?? false
  return first === undefined || isExplained ? error : first.access.claim.explain(error)
}

/** Runs work, and puts a name in front of the message of its error. */
export async function naming<T>(name: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { outcome, message, hint } = describeError(error)
    if (outcome === 'unexpected' || outcome === 'interrupted') throw error
    throw new CliError(outcome, `${name}: ${message}`, hint, { cause: error })
  }
}

interface Group<Use> {
  address: SecretLink
  connected: Awaited<ReturnType<typeof connectToServer>>
  uses: Use[]
}

/** Uses of the same secret are one group. */
async function groupUses<Use extends LinkUse>(uses: Use[], flags: GlobalFlags, io: Io): Promise<Group<Use>[]> {
  const groups = new Map<string, Group<Use>>()
  for (const use of uses) {
    const { address, connected } = await naming(use.name, async () => {
      const address = await resolveUse(use, io)
      return { address, connected: await connectToServer(address.server, flags, io) }
    })
    const key = JSON.stringify([connected.server, address.id, Buffer.from(address.linkKey ?? []).toString('base64')])
    const group = groups.get(key) ?? { address, connected, uses: [] }
    group.uses.push(use)
    groups.set(key, group)
  }
  return [...groups.values()]
}

async function resolveUse({ link }: LinkUse, io: Io): Promise<SecretLink> {
  // `-` would be read from stdin.
  if (link === '-') throw new CliError('usage', NOT_A_LINK, PLAIN_HINT)
  return await resolveLink(link, undefined, io).catch((error) => {
    throw isOtherText(error) ? new CliError('usage', NOT_A_LINK, PLAIN_HINT) : error
  })
}

async function findSecret<Use extends LinkUse>(
  { address, connected: { client, server }, uses }: Group<Use>,
  io: Io,
): Promise<FoundSecret<Use>> {
  const unfinished = await takeUnfinishedRead(server, address.id, io)
  const { found, linkKey } = await peekSecret(client, address, io, { keyHint: KEY_HINT, unfinished })
  if (found.files > 0) {
    throw new CliError(
      'usage',
      `this secret has ${formatCount(found.files, 'file')}, and only a text can be used here`,
      'save files with `mayfly secret read --out-dir FOLDER`; nothing was opened',
    )
  }
  if (found.codeRequired && !unfinished) {
    const hint = 'open it with `mayfly secret read`; nothing was opened'
    throw new CliError('usage', 'this secret requires a code from an e-mail', hint)
  }
  const claim = createReadClaim(server, found, unfinished, io)
  return { uses, peek: found, access: { client, id: found.id, linkKey, claim } }
}

function listNames(uses: LinkUse[]): string {
  const names = [...new Set(uses.map(({ name }) => name))]
  const more = names.length - NAMES_MAX
  return more > 0 ? `${names.slice(0, NAMES_MAX).join(', ')} and ${more} more` : names.join(' and ')
}

const isOtherText = (error: unknown) => error instanceof LinkError && error.problem === 'not-a-link'

const needsPassword = ({ peek }: Pick<FoundSecret<LinkUse>, 'peek'>) => peek.passwordRequired
