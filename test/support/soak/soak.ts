/**
 * `npm run soak`: an hour of mixed traffic with a fault every five minutes. At the end it reports whether memory,
 * handles, timers and disk stayed flat, and whether anything was lost. Exit code 1 if not.
 */
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { ENGINES, type EngineName, makeDatabase } from '#test/databases'
import { REQUESTS_FOR_ANYONE, startServer } from '#test/start-server'
import { FAULTS, type Target } from './faults.js'
import { createSampler, type Sample, type Trend, trendsOf } from './samples.js'
import { runTraffic, type Traffic } from './traffic.js'

const SAMPLES = 120
const LANES = 6
/**
 * Short times, so that everything expires and is deleted many times. A claim stays open longer than the process is
 * stopped.
 */
const SETTINGS = {
  MAYFLY_CLEANUP_SECONDS: '10',
  MAYFLY_READ_GRACE_SECONDS: '15',
  MAYFLY_DOWNLOAD_GRACE_SECONDS: '60',
  MAYFLY_VISITOR_BYTES_PER_DAY: String(2 ** 40),
  MAYFLY_MAX_OPEN_UPLOADS: '1000',
  MAYFLY_LOG: 'warn',
}

export interface SoakReport extends Traffic {
  engine: EngineName
  minutes: number
  injected: string[]
  trends: Trend[]
  samples: Sample[]
}

/** `args`: `--minutes 60`, `--fault-minutes 5`, `--engine sqlite`, `--json`. Needs the /proc of Linux. */
export async function soak(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: 'string', default: '60' },
      'fault-minutes': { type: 'string', default: '5' },
      engine: { type: 'string', default: 'sqlite' },
      json: { type: 'boolean', default: false },
    },
  })
  const engine = ENGINES.find((each) => each === values.engine)
  const [minutes, faultMinutes] = [Number(values.minutes), Number(values['fault-minutes'])]
  if (!engine || !(minutes > 0) || !(faultMinutes > 0)) throw new Error(`invalid flags: ${args.join(' ')}`)
  const report = await runSoak(engine, minutes, faultMinutes)
  process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : format(report))
  if (report.faults.length > 0 || report.trends.some(({ isFlat }) => !isFlat)) process.exitCode = 1
}

async function runSoak(engine: EngineName, minutes: number, faultMinutes: number): Promise<SoakReport> {
  const sampler = await createSampler()
  const database = await makeDatabase(engine)
  const server = await startServer({
    env: { ...database.env, ...SETTINGS },
    nodeArgs: sampler.nodeArgs,
    settings: [REQUESTS_FOR_ANYONE],
  })
  try {
    // The database of SQLite is a file outside of the data folder.
    const folders = [server.dataDir, ...(database.options.file ? [dirname(database.options.file)] : [])]
    const target: Target = { url: `http://127.0.0.1:${server.port}`, pid: server.pid, database }
    const end = performance.now() + minutes * 60_000
    const isOver = () => performance.now() >= end
    const samples: Sample[] = []
    const [traffic, injected] = await Promise.all([
      runTraffic(target.url, LANES, isOver),
      injectFaults(target, faultMinutes * 60_000, isOver),
      sampleUntil(isOver, (minutes * 60_000) / SAMPLES, async () => {
        samples.push(await sampler.take(server.pid, folders, database))
      }),
    ])
    return { engine, minutes, ...traffic, injected, trends: trendsOf(samples), samples }
  } finally {
    await server.stop()
    await database.drop()
    await sampler.remove()
  }
}

/** Injects the faults in turns, and returns their names. */
async function injectFaults(target: Target, everyMs: number, isOver: () => boolean): Promise<string[]> {
  const injected: string[] = []
  for (let next = performance.now() + everyMs; !isOver(); await sleep(100)) {
    if (performance.now() < next) continue
    const fault = FAULTS[injected.length % FAULTS.length]
    if (!fault) break
    process.stderr.write(`fault: ${fault.name}\n`)
    await fault.run(target)
    injected.push(fault.name)
    next += everyMs
  }
  return injected
}

async function sampleUntil(isOver: () => boolean, everyMs: number, take: () => Promise<void>): Promise<void> {
  while (!isOver()) {
    // A stopped process writes no report.
    await take().catch((error) => process.stderr.write(`no sample: ${error}\n`))
    await sleep(everyMs)
  }
}

function format({ engine, minutes, completed, faults, injected, trends }: SoakReport): string {
  const counts = new Map<string, number>()
  for (const fault of faults) counts.set(fault, (counts.get(fault) ?? 0) + 1)
  const row = ({ figure, before, after, isFlat }: Trend) =>
    `  ${figure.padEnd(10)} ${before.toFixed(1).padStart(9)} ${after.toFixed(1).padStart(9)}  ${isFlat ? 'flat' : 'GROWS'}`
  return [
    `${minutes} minutes on ${engine}: ${completed} secrets and requests, ${injected.length} faults injected`,
    `  ${''.padEnd(10)} ${'before'.padStart(9)} ${'after'.padStart(9)}`,
    ...trends.map(row),
    ...(counts.size === 0 ? ['  nothing lost'] : [...counts].map(([fault, times]) => `  ${times} x ${fault}`)),
    '',
  ].join('\n')
}
