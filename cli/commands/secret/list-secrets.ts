/** `mayfly secret list`: what the caller has made and is still there. */

import { connectSignedIn, type ServerFlags } from '../../client/connect.js'
import { isoTime } from '../../output/format-expiry.js'
import type { Io } from '../../output/io.js'
import { type ListFlags, listText } from '../../output/table.js'
import type { GlobalFlags } from '../command.js'
import { type PageFlags, pageOf } from '../page-options.js'

export interface SecretListFlags extends ServerFlags, PageFlags, ListFlags {}

export async function listOwnSecrets(flags: SecretListFlags & GlobalFlags, io: Io): Promise<void> {
  const page = pageOf(flags)
  const { client } = await connectSignedIn(flags, io)
  const rows = (await client.ownSecrets(page)).map((secret) => ({
    id: secret.id,
    kind: secret.kind,
    title: secret.title,
    views_left: secret.maxViews,
    has_password: secret.passwordRequired,
    files: secret.files,
    created_at: isoTime(secret.createdAt),
    expires_at: isoTime(secret.expiresAt),
  }))
  await io.write(listText(rows, ['id', 'kind', 'views_left', 'files', 'created_at', 'expires_at', 'title'], flags, io))
}
