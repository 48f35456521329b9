/** `mayfly secret export`. */
import type { EndedSecret, ExportEndedSecrets } from '#shared/api'
import type { ClientOptions } from '#shared/client/client'
import { listEndedSecrets } from '#shared/client/own-secret-client'
import { formatEndedSecrets, toEndedSecretRow } from '#shared/export/ended-secrets'
import { TAKE_MAX } from '#shared/limits'
import { connectSignedIn, type ServerFlags } from '../../client/connect.js'
import { readLabels } from '../../client/secret-labels.js'
import { CliError } from '../../lib/cli-error.js'
import type { Io } from '../../output/io.js'
import type { GlobalFlags } from '../command.js'

export interface SecretExportFlags extends ServerFlags {
  format?: ExportEndedSecrets['format']
  state: 'ended' | EndedSecret['state']
}

/** Throws CliError or ApiError. */
export async function exportSecrets(flags: SecretExportFlags & GlobalFlags, io: Io): Promise<void> {
  const { format = 'csv', json } = flags
  if (json && flags.format !== undefined) throw new CliError('usage', '--format and --json exclude each other')
  const { options, server } = await connectSignedIn(flags, io)
  const labels = await readLabels(server, io)
  const toLabel = ({ id }: EndedSecret) => ({ label: labels.get(id) ?? null })
  const pages = readPages(flags.state, options)
  if (json) {
    const rows: object[] = []
    for await (const page of pages)
      rows.push(...page.map((secret) => ({ ...toEndedSecretRow(secret), ...toLabel(secret) })))
    return io.writeJson(rows)
  }
  const formatter = formatEndedSecrets(format, ['label'], toLabel)
  if (formatter.header !== '') await io.write(formatter.header)
  for await (const page of pages) await io.write(formatter.format(page))
}

/** Later pages begin at the first secret of the first one: secrets that end meanwhile would move them. */
async function* readPages(state: SecretExportFlags['state'], options: ClientOptions): AsyncGenerator<EndedSecret[]> {
  let until: number | undefined
  for (let skip = 0; ; skip += TAKE_MAX) {
    const filter = { until, ...(state === 'ended' ? {} : { state }) }
    const page = await listEndedSecrets({ skip, take: TAKE_MAX, ...filter }, options)
    if (page.length > 0) yield page
    until ??= page[0]?.endedAt
    if (page.length < TAKE_MAX) return
  }
}
