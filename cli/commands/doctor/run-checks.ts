/** `mayfly doctor`: the checks, and what is said about them. */

import type { InstanceFlags } from '../../instance/instance-options.js'
import { CliError } from '../../lib/cli-error.js'
import { parseDuration } from '../../output/duration.js'
import type { Io } from '../../output/io.js'
import { counted, oneLine } from '../../output/sanitize.js'
import type { GlobalFlags } from '../command.js'
import type { Finding } from './check-result.js'

export interface DoctorFlags extends InstanceFlags {
  url?: string
  section?: string[]
  fix?: true
  strict?: true
}

const SECTIONS = { inside: ['config', 'database', 'files', 'disk'], outside: ['https', 'proxy', 'headers', 'web'] }

/** Throws CliError `check_failed` when something fails, with --strict also when something warns; `usage`. */
export async function examine(flags: DoctorFlags & GlobalFlags, io: Io): Promise<void> {
  if (flags.fix && flags.url !== undefined) {
    throw new CliError('usage', '--fix and --url do not go together', 'what is wrong outside is mended where it is')
  }
  const known = flags.url === undefined ? SECTIONS.inside : SECTIONS.outside
  const unknown = flags.section?.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new CliError('usage', '--section names none', `there are ${known.join(', ')}`)
  const all = await (flags.url === undefined ? inside(flags, io) : outside(flags.url, flags))
  const findings = all.filter(({ section }) => flags.section?.includes(section) ?? true)
  await io.write(flags.json ? `${JSON.stringify(findings)}\n` : findings.map(asText).join(''))
  const bad = findings.filter(({ level }) => level === 'fail' || (flags.strict && level === 'warn'))
  if (bad.length > 0) throw new CliError('check_failed', `${counted(bad.length, 'check')} failed`)
}

async function inside(flags: DoctorFlags & GlobalFlags, io: Io): Promise<Finding[]> {
  const { lookInside } = await import('./local-checks.js')
  return lookInside(flags, flags.fix ? (flags.section ?? SECTIONS.inside) : [], io)
}

async function outside(url: string, { timeout }: GlobalFlags): Promise<Finding[]> {
  const [{ lookFromOutside }, { baseOf }] = await Promise.all([
    import('./remote-checks.js'),
    import('./verify-web-app.js'),
  ])
  return lookFromOutside(baseOf(url), parseDuration('--timeout', timeout) * 1000)
}

function asText({ section, check, level, message, fix }: Finding): string {
  const line = `${level.padEnd(4)}  ${section}: ${check}: ${oneLine(message)}\n`
  return fix ? `${line}      ${oneLine(fix)}\n` : line
}
