/** `mayfly doctor`: runs the checks and prints the results. */

import type { InstanceFlags } from '../../instance/instance-options.js'
import { CliError } from '../../lib/cli-error.js'
import { parseDuration } from '../../output/duration.js'
import type { Io } from '../../output/io.js'
import { formatCount, toSingleLine } from '../../output/sanitize.js'
import type { GlobalFlags } from '../command.js'
import { type CheckResult, formatLevel } from './check-result.js'

export interface DoctorFlags extends InstanceFlags {
  url?: string
  section?: string[]
  fix?: true
  strict?: true
}

/** Without the codes of the page and the functions that repair. */
const JSON_FIELDS = ['section', 'check', 'level', 'message', 'fix']
const SECTIONS = { local: ['config', 'database', 'files', 'disk'], remote: ['https', 'proxy', 'headers', 'web'] }

/** Throws CliError `check_failed` when a check fails, with --strict also when it warns; `usage`. */
export async function runDoctor(flags: DoctorFlags & GlobalFlags, io: Io): Promise<void> {
  if (flags.fix && flags.url !== undefined) {
    throw new CliError('usage', '--fix and --url exclude each other', "run --fix on the server's machine")
  }
  const known = flags.url === undefined ? SECTIONS.local : SECTIONS.remote
  const unknown = flags.section?.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new CliError('usage', 'unknown section', `one of: ${known.join(', ')}`)
  const all = await (flags.url === undefined ? runLocal(flags, io) : runRemote(flags.url, flags, io))
  const findings = all.filter(({ section }) => flags.section?.includes(section) ?? true)
  const lines = findings.map((finding) => formatResult(finding, io)).join('')
  // As bytes, because `write` would remove the colors.
  await io.write(flags.json ? `${JSON.stringify(findings, JSON_FIELDS)}\n` : Buffer.from(lines))
  const bad = findings.filter(({ level }) => level === 'fail' || (flags.strict && level === 'warn'))
  if (bad.length > 0) throw new CliError('check_failed', `${formatCount(bad.length, 'check')} failed`)
}

async function runLocal(flags: DoctorFlags & GlobalFlags, io: Io): Promise<CheckResult[]> {
  const { runLocalChecks } = await import('./local-checks.js')
  return runLocalChecks(flags, flags.fix ? (flags.section ?? SECTIONS.local) : [], io)
}

async function runRemote(url: string, flags: DoctorFlags & GlobalFlags, io: Io): Promise<CheckResult[]> {
  const [{ runRemoteChecks }, { parseBaseUrl }, { readTransport }] = await Promise.all([
    import('./remote-checks.js'),
    import('./verify-web-app.js'),
    import('../../client/transport-options.js'),
  ])
  const base = parseBaseUrl(url)
  return runRemoteChecks({
    base,
    transport: readTransport(base, flags, io),
    timeoutMs: parseDuration('--timeout', flags.timeout) * 1000,
    compareWeb: flags.section?.includes('web') ?? true,
  })
}

function formatResult({ section, check, level, message, fix }: CheckResult, io: Io): string {
  const line = `${formatLevel(level, io)}  ${section}: ${check}: ${toSingleLine(message)}\n`
  return fix ? `${line}      ${toSingleLine(fix)}\n` : line
}
