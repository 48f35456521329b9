/** Operating system processes with one open storage each, which run calls at the same time. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import type { EngineName, TestDatabase } from './databases.js'
import type { Answer, Call } from './race-worker.js'
import { ROOT } from './source-files.js'

export interface Processes {
  /** Results of the calls of each process, which all run at the same time. */
  inEach<T>(callsOf: (process: number) => Call[]): Promise<T[][]>
  /** The same in one of them. Rejects when a call failed or the process ended. */
  run<T>(process: number, calls: Call[], onAnswer?: () => void): Promise<T[]>
  /** Each opens the storage and brings the schema up to date. */
  openAll(): Promise<void>
  kill(process: number): Promise<void>
  killAll(): Promise<void>
}

/** Not bundled: drivers, because `dying-query.cjs` changes them, and drivers that Knex names but are not installed. */
const DRIVERS = [
  'pg',
  'pg-query-stream',
  'mysql',
  'mysql2',
  'mariadb',
  'oracledb',
  'sqlite3',
  'better-sqlite3',
  'tedious',
]

/** The program of the processes, built once a test file. The rest is bundled, which loads in half of the time. */
export async function buildWorker(engine: EngineName): Promise<{ file: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-race-'))
  const file = join(folder, 'worker.cjs')
  const contents = `
    import { migrations } from './migrations/index.ts'
    import plugin from './plugins/${engine}/index.ts'
    import { nextMigration } from './test/support/next-migration.ts'
    import { answerCalls } from './test/support/race-worker.ts'
    if (process.argv[3] === '${UPGRADED}') migrations.push(nextMigration)
    answerCalls(plugin, process.argv[2])`
  // CommonJS has no URL of a module, beside which SQLite finds the code of its thread.
  const beside = pathToFileURL(join(ROOT, 'plugins/sqlite/drivers/node-sqlite.ts'))
  const define = { 'import.meta.url': JSON.stringify(beside) }
  const shape = { bundle: true, platform: 'node', format: 'cjs', external: DRIVERS, define } as const
  await build({ stdin: { contents, resolveDir: ROOT }, outfile: file, ...shape })
  return { file, remove: () => rm(folder, { recursive: true }) }
}

const UPGRADED = 'upgraded'
const DYING_QUERY = join(ROOT, 'test/fixtures/dying-query.cjs')

interface ProcessOptions {
  /** Kills each before its statement with this number; reads do not count. */
  dieAt?: number
  /** They have one more migration, `next-migration.ts`. */
  isUpgraded?: boolean
}

/** Starts `count` of them on a database; none has opened it yet. */
export async function startProcesses(
  worker: string,
  { engine, options }: TestDatabase,
  count: number,
  { dieAt, isUpgraded = false }: ProcessOptions = {},
): Promise<Processes> {
  const dying = dieAt === undefined ? {} : { MAYFLY_DIE_AT: String(dieAt), MAYFLY_DIE_ON: engine }
  const env = { ...process.env, NODE_PATH: join(ROOT, 'node_modules'), ...dying }
  const execArgv = dieAt === undefined ? [] : ['--require', DYING_QUERY]
  const args = [JSON.stringify(options), isUpgraded ? UPGRADED : '']
  const children = await Promise.all(
    Array.from({ length: count }, async () => {
      const child = fork(worker, args, { env, execArgv })
      await once(child, 'message')
      return child
    }),
  )
  const run = <T>(number: number, calls: Call[], onAnswer?: () => void) =>
    ask<T>(children[number] as ChildProcess, calls, onAnswer)
  const inEach = <T>(callsOf: (process: number) => Call[]) =>
    Promise.all(children.map((_, number) => run<T>(number, callsOf(number))))
  return {
    run,
    inEach,
    async openAll() {
      await inEach(() => [['open']])
      await inEach(() => [['storage.migrate']])
    },
    kill: (number) => kill(children[number] as ChildProcess),
    killAll: async () => void (await Promise.all(children.map(kill))),
  }
}

function ask<T>(child: ChildProcess, calls: Call[], onAnswer?: () => void): Promise<T[]> {
  return new Promise((resolve, reject) => {
    const values: T[] = []
    let missing = calls.length
    let failure: Error | null = null
    const hear = (result: Answer) => {
      if ('error' in result) failure ??= new Error(`${calls[result.index]?.[0]}: ${result.error}`)
      else values[result.index] = result.value as T
      missing -= 1
      onAnswer?.()
      if (missing === 0) finish()
    }
    const die = () => reject(new Error('the process ended'))
    const finish = () => {
      child.off('message', hear)
      child.off('exit', die)
      // When all have answered: a late answer would count for the next calls.
      if (failure) reject(failure)
      else resolve(values)
    }
    if (missing === 0) return finish()
    child.on('message', hear)
    child.once('exit', die)
    child.send(calls)
  })
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}
