/** `mayfly secret update`. */
import type { LowerLimits } from '#shared/api'
import { ApiError, type Client, type ClientOptions } from '#shared/client/client'
import { listOwnSecrets } from '#shared/client/own-secret-client'
import { lookUp } from '#shared/look-up'
import { connectToServer } from '../../client/connect.js'
import { checkLabel, storeLabels } from '../../client/secret-labels.js'
import { explainUnknownOutcome } from '../../client/unknown-outcome.js'
import { CliError } from '../../lib/cli-error.js'
import { omitUndefined } from '../../lib/omit-undefined.js'
import { parseDuration } from '../../output/duration.js'
import { formatExpiry, formatTime, formatViews } from '../../output/format-expiry.js'
import type { Io } from '../../output/io.js'
import { readBurnToken } from '../../secrets/burn-token.js'
import { resolveLink } from '../../secrets/resolve-link.js'
import type { GlobalFlags } from '../command.js'

export interface UpdateFlags {
  server?: string
  views?: string
  ttl?: string
  allowIp?: string
  label?: string
  burnTokenFile?: string
}

/** Page size of the search for a secret of the user. */
const PAGE_SIZE = 100
/** By the field of the request that the server refuses. */
const FLAGS: Record<string, string> = { maxViews: '--views', ttl: '--ttl', allowedIp: '--allow-ip' }

/** Throws LinkError, CliError or ApiError. */
export async function updateSecret(word: string | undefined, flags: UpdateFlags & GlobalFlags, io: Io): Promise<void> {
  const limits = readLimits(flags)
  const { label } = flags
  if (label !== undefined) checkLabel(label)
  if (Object.keys(limits).length === 0 && label === undefined) {
    throw new CliError('usage', 'nothing to change', 'use --views, --ttl, --allow-ip or --label')
  }
  const burnToken = flags.burnTokenFile === undefined ? undefined : await readBurnToken(flags.burnTokenFile, io)
  const link = await resolveLink(word, undefined, io)
  const { client, options, server, credential } = await connectToServer(link.server, flags, io)
  if (!burnToken && !credential) {
    const hint = 'run `mayfly login` as its creator, or use --burn-token-file'
    throw new CliError('denied', 'not signed in', hint)
  }
  const id = link.id
  const proof = burnToken === undefined ? {} : { burnToken }
  const changed =
    Object.keys(limits).length > 0
      ? await explainUnknownOutcome(
          client.lowerLimits(id, { ...proof, ...limits }).catch(nameFlag),
          'the secret was changed',
          () => 'run it again; lower limits can be set twice',
        )
      : await findOwnSecret(id, options)
  if (label !== undefined) await storeLabels(server, [{ id, label, expiresAt: changed.expiresAt }], io)
  if (flags.json) await io.writeJson(toDocument(changed, label))
  const { maxViews, expiresAt, allowedIp } = changed
  const from = allowedIp === null ? '' : ` from ${allowedIp}`
  io.note(`opens ${formatViews(maxViews)}${from}, expires ${formatExpiry(expiresAt, Date.now())}`)
}

function readLimits({ views, ttl, allowIp }: UpdateFlags): LowerLimits {
  if (views !== undefined && !/^[1-9]\d{0,8}$/.test(views)) {
    throw new CliError('usage', '--views must be a whole number from 1')
  }
  return omitUndefined({
    maxViews: views === undefined ? undefined : Number(views),
    ttl: ttl === undefined ? undefined : parseDuration('--ttl', ttl),
    allowedIp: allowIp,
  })
}

/** Names the flag instead of the field of the API. */
function nameFlag(error: unknown): never {
  const flag = error instanceof ApiError ? lookUp(FLAGS, error.body.field ?? '') : undefined
  if (flag === undefined || !(error instanceof ApiError)) throw error
  throw new CliError('usage', `${flag} ${error.message.replace(/^\w+: /, '')}`)
}

type Limits = Awaited<ReturnType<Client['lowerLimits']>>

/** A label alone changes nothing on the server. Throws CliError `gone`. */
async function findOwnSecret(id: string, options: ClientOptions): Promise<Limits> {
  const lookup = id.split('~')[0]
  for (let skip = 0; ; skip += PAGE_SIZE) {
    const page = await listOwnSecrets({ skip, take: PAGE_SIZE }, options)
    const found = page.find((secret) => secret.id === lookup)
    if (found) return found
    if (page.length < PAGE_SIZE) throw new CliError('gone', 'you have no such secret', 'run `mayfly secret list`')
  }
}

const toDocument = ({ id, maxViews, expiresAt, allowedIp }: Limits, label: string | undefined) => ({
  id,
  views_left: maxViews,
  expires_at: formatTime(expiresAt),
  allowed_ip: allowedIp,
  label,
})
