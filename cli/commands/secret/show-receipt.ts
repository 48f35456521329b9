/** `mayfly secret status`: what became of a secret, from its receipt. */
import type { Receipt } from '#shared/api'
import { readReceipt } from '#shared/client/receipt-client'
import { parseReceiptLink } from '#shared/parse-links'
import { connectToServer } from '../../client/connect.js'
import { formatTime } from '../../output/format-expiry.js'
import type { Io } from '../../output/io.js'
import { toSingleLine } from '../../output/sanitize.js'
import { parsePasted, readLink } from '../../secrets/resolve-link.js'
import type { GlobalFlags } from '../command.js'

/** Throws LinkError, CliError or ApiError. */
export async function showReceipt(word: string | undefined, flags: GlobalFlags, io: Io): Promise<void> {
  const { base, token } = parsePasted(await readLink(word, io), parseReceiptLink, io)
  const { options } = await connectToServer(base, flags, io)
  const receipt = await readReceipt(token, options)
  await io.writeResult(flags, toDocument(receipt), formatReceipt(receipt))
}

function toDocument(receipt: Receipt) {
  return {
    state: receipt.state,
    views: receipt.views,
    views_limit: receipt.maxViews,
    opened: receipt.viewList.map(({ at, network, browser }) => ({ at: formatTime(at), network, browser })),
    wrong_passwords: receipt.wrongPasswords,
    wrong_password_at: formatTime(receipt.wrongPasswordAt),
    refused_addresses: receipt.refusedAddresses,
    refused_address_at: formatTime(receipt.refusedAddressAt),
    created_at: formatTime(receipt.createdAt),
    expires_at: formatTime(receipt.expiresAt),
    ended_at: formatTime(receipt.endedAt),
    kept_until: formatTime(receipt.keptUntil),
  }
}

/** A line per fact with a value, and a line per view. */
function formatReceipt(receipt: Receipt): string {
  const { opened, views, views_limit: limit, ...facts } = toDocument(receipt)
  const lines = [
    ['state', facts.state],
    ['views', limit === null ? String(views) : `${views} of ${limit}`],
    ...Object.entries(facts).filter(([name, value]) => name !== 'state' && value !== null && value !== 0),
    ...opened.map(({ at, network, browser }) => ['opened', at, network ?? '', browser ?? '']),
  ]
  return `${lines
    .map((line) =>
      line
        .map((part) => toSingleLine(String(part)))
        .join('\t')
        .trimEnd(),
    )
    .join('\n')}\n`
}
