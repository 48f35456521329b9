/** `mayfly audit verify`: checks the hash chain of the audit log. */
import type { ChainPoint } from '#core'
import { type ChainProblem, type ChainReport, noLog, verifyChain } from '#core/runtime'
import { loadConfigForFlags } from '../../instance/instance-config.js'
import { announceInstance, withStorage } from '../../instance/open-database.js'
import { requireDatabase } from '../../instance/require-database.js'
import type { AdminFlags } from '../../instance/with-administration.js'
import { CliError } from '../../lib/cli-error.js'
import { formatTime } from '../../output/format-expiry.js'
import type { Io } from '../../output/io.js'
import type { GlobalFlags } from '../command.js'

export interface VerifyAuditFlags extends AdminFlags {
  anchor?: string
}

/** Throws CliError `check_failed` when the log was changed. */
export async function verifyAudit(flags: VerifyAuditFlags & GlobalFlags, io: Io): Promise<void> {
  if (flags.server !== undefined || flags.profile !== undefined) {
    const hint = 'a server could hide what it changed; leave out --server and --profile'
    throw new CliError('usage', 'the audit log is verified on the machine of the instance only', hint)
  }
  const anchor = flags.anchor === undefined ? null : parseAnchor(flags.anchor)
  const config = await loadConfigForFlags(flags, io)
  requireDatabase(config)
  const report = await withStorage(config, noLog, (storage) => {
    announceInstance(config, storage, io)
    return verifyChain(storage.audit, anchor)
  })
  await io.writeResult(flags, toResult(report), describeReport(report))
  const found = report.problems.length > 0 || report.noted === 'changed' || report.noted === 'missing'
  if (found) throw new CliError('check_failed', 'the audit log was changed', 'see docs/administration.md')
}

/** Throws CliError `usage`. */
function parseAnchor(text: string): ChainPoint {
  const [, position, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? []
  if (position !== undefined && hash !== undefined) return { position: Number(position), hash }
  throw new CliError('usage', '--anchor is not a position and a hash', 'copy it from an earlier `mayfly audit verify`')
}

const formatAnchor = ({ position, hash }: ChainPoint): string => `${position}:${hash}`

const toResult = ({ first, last, noted, ...rest }: ChainReport) => ({
  first: first && { position: first.position, at: formatTime(first.at) },
  last: last && { position: last.position, at: formatTime(last.at) },
  anchor: last && formatAnchor(last),
  ...rest,
  ...(noted === null ? {} : { givenAnchor: noted }),
})

const PROBLEMS: Record<ChainProblem['problem'], string> = {
  changed: 'was changed, or the one before it was',
  missing: 'is missing',
  repeated: 'exists more than once',
}

const ANCHORS: Record<NonNullable<ChainReport['noted']>, string> = {
  found: 'the given anchor is part of the log',
  older: 'the given anchor is older than the first entry: the retention has deleted it',
  missing: 'the given anchor is missing: entries at the end were deleted',
  changed: 'the given anchor has another hash: the log was rewritten',
}

const formatEntries = (count: number): string => `${count} ${count === 1 ? 'entry' : 'entries'}`

function describeReport({ first, last, entries, problems, noted }: ChainReport): string {
  const range =
    first && last ? `, ${first.position} to ${last.position}, ${formatTime(first.at)} to ${formatTime(last.at)}` : ''
  const lines = [
    `${formatEntries(entries)} in the chain${range}`,
    ...problems.map(({ position, problem }) => `entry ${position} ${PROBLEMS[problem]}`),
    ...(noted ? [ANCHORS[noted]] : []),
    ...(last ? [`anchor: ${formatAnchor(last)}`] : []),
  ]
  return `${lines.join('\n')}\n`
}
