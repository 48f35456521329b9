/** `mayfly secret list`. */

import type { EndedSecret } from '#shared/api'
import { listOwnSecrets as fetchOwnSecrets, listEndedSecrets } from '#shared/client/own-secret-client'
import { toEndedSecretRow } from '#shared/export/ended-secrets'
import { connectSignedIn, type ServerFlags } from '../../client/connect.js'
import { readLabels } from '../../client/secret-labels.js'
import { formatTime } from '../../output/format-expiry.js'
import type { Io } from '../../output/io.js'
import { formatList, type ListFlags } from '../../output/table.js'
import type { GlobalFlags } from '../command.js'
import { type PageFlags, parsePage } from '../parse-page.js'

export interface SecretListFlags extends ServerFlags, PageFlags, ListFlags {
  state: 'live' | 'ended' | EndedSecret['state']
}

const LIVE_COLUMNS = ['id', 'kind', 'views_left', 'files', 'created_at', 'expires_at', 'title', 'label', 'opened_by']
const ENDED_COLUMNS = ['id', 'state', 'ended_at', 'created_at', 'kind', 'views', 'views_limit', 'files', 'label']

export async function listOwnSecrets(flags: SecretListFlags & GlobalFlags, io: Io): Promise<void> {
  const page = parsePage(flags)
  const { server, options } = await connectSignedIn(flags, io)
  const labels = await readLabels(server, io)
  if (flags.state !== 'live') {
    const filter = { ...page, ...(flags.state === 'ended' ? {} : { state: flags.state }) }
    const ended = await listEndedSecrets(filter, options)
    const rows = ended.map((secret) => ({ ...toEndedSecretRow(secret), label: labels.get(secret.id) ?? null }))
    return io.write(formatList(rows, ENDED_COLUMNS, flags, io))
  }
  const rows = (await fetchOwnSecrets(page, options)).map((secret) => ({
    id: secret.id,
    kind: secret.kind,
    title: secret.title,
    views_left: secret.maxViews,
    has_password: secret.passwordRequired,
    files: secret.files,
    created_at: formatTime(secret.createdAt),
    expires_at: formatTime(secret.expiresAt),
    label: labels.get(secret.id) ?? null,
    recipient_views: secret.recipientViews,
    opened_by: describeRecipients(secret.recipientViews),
  }))
  await io.write(formatList(rows, LIVE_COLUMNS, flags, io))
}

/** Such as `1,3 of 4`: the numbers of the named recipients who opened the secret. Null without named recipients. */
function describeRecipients(views: number[]): string | null {
  if (views.length === 0) return null
  const opened = views.flatMap((count, index) => (count > 0 ? [index + 1] : []))
  return `${opened.join(',') || 'none'} of ${views.length}`
}
