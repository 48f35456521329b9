/** Start times of the server and of the command line beside an empty Node.js program, and memory of an idle server. */
import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CLI, type RunningServer, startServer } from '#test/start-server'
import { cpuTimeMs } from './cpu-time.js'
import { formatRequest, openConnection } from './http-client.js'
import { median } from './statistics.js'

/** Medians. Times in ms. */
export interface Startup {
  runs: number
  /** `node -e 0`. */
  bareNodeMs: number
  bareNodeCpuMs: number
  /** To the first 200 of a server with an empty data folder, so with all migrations. */
  coldStartMs: number
  /** CPU time of the server until then: depends less on other load of the machine. Null where there is no /proc. */
  coldStartCpuMs: number | null
  /** As `coldStartMs`, with the data folder of an earlier run. */
  restartMs: number
  /** ESM and CommonJS files that the server has evaluated until its first 200. */
  modules: number
  /** Files of the build; the others belong to packages. */
  ownModules: number
  /** Of a server that has answered one request and nothing else. */
  idleRssMb: number
  idleHeapMb: number
  /** `mayfly --help`. */
  helpMs: number
  /** `mayfly secret create` with the text from a pipe. */
  createMs: number
  /** `secret create --help` of the single file of the client. */
  clientMs: number
}

export const PRELOAD = pathToFileURL(join(dirname(CLI), 'bench.preload.js')).href
const CLIENT_FILE = join(dirname(CLI), 'client/mayfly.mjs')
const IDLE_MS = 5000

/** `runs`: of each time, taken in turns. */
export async function startup(runs: number): Promise<Startup> {
  const bare: number[] = []
  const first: Start[] = []
  const again: Start[] = []
  for (let run = 0; run < runs; run++) {
    bare.push(timeNode(['-e', '0']))
    const dataDir = await mkdtemp(join(tmpdir(), 'mayfly-bench-'))
    first.push(await timeStart(dataDir))
    again.push(await timeStart(dataDir))
    await rm(dataDir, { recursive: true })
  }
  return {
    runs,
    bareNodeMs: median(bare),
    bareNodeCpuMs: bareNodeCpuMs(),
    coldStartMs: median(first.map(({ ms }) => ms)),
    coldStartCpuMs: first.some(({ cpuMs }) => cpuMs === null) ? null : median(first.map(({ cpuMs }) => cpuMs ?? 0)),
    restartMs: median(again.map(({ ms }) => ms)),
    ...(await countModules()),
    ...(await idleMemory()),
    ...(await timeCommands(runs)),
  }
}

interface Start {
  ms: number
  cpuMs: number | null
}

async function timeStart(dataDir: string): Promise<Start> {
  const started = performance.now()
  const server = await startServer({ dataDir })
  await requestSettings(server)
  const start = { ms: performance.now() - started, cpuMs: cpuTimeMs(server.pid) }
  await server.stop()
  return start
}

/** Of an empty program until it has run, so without the end of its process. */
function bareNodeCpuMs(): number {
  const script = 'const { user, system } = process.cpuUsage(); process.stdout.write(String((user + system) / 1000))'
  return Number(spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' }).stdout)
}

async function requestSettings({ port }: RunningServer): Promise<void> {
  const url = `http://127.0.0.1:${port}`
  const connection = openConnection(url)
  const { status } = await connection.send(formatRequest(url, { method: 'GET', path: '/api/v1/settings' }))
  connection.close()
  if (status !== 200) throw new Error(`the first response has the status ${status}`)
}

/** V8 lists every evaluated file in its coverage report, which node writes when it exits. */
async function countModules(): Promise<Pick<Startup, 'modules' | 'ownModules'>> {
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-coverage-'))
  const server = await startServer({ env: { NODE_V8_COVERAGE: folder } })
  await requestSettings(server)
  await server.stop()
  const files = new Set<string>()
  for (const name of await readdir(folder)) {
    const { result } = JSON.parse(await readFile(join(folder, name), 'utf8')) as { result: { url: string }[] }
    for (const { url } of result) if (url.startsWith('file:')) files.add(url)
  }
  await rm(folder, { recursive: true })
  const ownModules = [...files].filter((url) => !url.includes('/node_modules/')).length
  return { modules: files.size, ownModules }
}

async function idleMemory(): Promise<Pick<Startup, 'idleRssMb' | 'idleHeapMb'>> {
  const server = await startServer({ nodeArgs: ['--import', PRELOAD], env: { BENCH_MEMORY_MS: String(IDLE_MS) } })
  await requestSettings(server)
  const [, usage = ''] = await server.logged(/memory (\{.*\})/)
  await server.stop()
  const { rss, heapUsed } = JSON.parse(usage) as NodeJS.MemoryUsage
  return { idleRssMb: rss / 1e6, idleHeapMb: heapUsed / 1e6 }
}

async function timeCommands(runs: number): Promise<Pick<Startup, 'helpMs' | 'createMs' | 'clientMs'>> {
  const server = await startServer({ env: { MAYFLY_LOG: 'warn' } })
  const create = { input: 'a text', env: { PATH: process.env.PATH, MAYFLY_SERVER: server.url } }
  const help: number[] = []
  const created: number[] = []
  const client: number[] = []
  for (let run = 0; run < runs; run++) {
    help.push(timeNode([CLI, '--help']))
    created.push(timeNode([CLI, 'secret', 'create', '-q'], create))
    client.push(timeNode([CLIENT_FILE, 'secret', 'create', '--help']))
  }
  await server.stop()
  return { helpMs: median(help), createMs: median(created), clientMs: median(client) }
}

function timeNode(args: string[], options: { input?: string; env?: NodeJS.ProcessEnv } = {}): number {
  const started = performance.now()
  const { status, stderr } = spawnSync(process.execPath, args, { ...options, encoding: 'utf8' })
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`)
  return performance.now() - started
}
