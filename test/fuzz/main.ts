/**
 * Runs one target: `node main.mjs ROOT NAME SECONDS SEED FINDINGS HANG_MS`. A worker thread mutates inputs and keeps
 * the inputs that run new code; this thread checks that it does not hang. Prints one JSON document, a `FuzzReport`.
 * scripts/fuzz.mjs bundles and starts it.
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { readCorpus } from './corpus.js'
import { type FuzzReport, fuzz } from './fuzz.js'
import { type FuzzTarget, fromBinary } from './target.js'

const CHECK_MS = 500
/** How often the worker reports that it runs, in ms. */
const BEAT_MS = 100
/** Room for the length and the bytes of the input that is running. */
const SHARED_BYTES = 4 + 64 * 1024
/** A bundle of its own, so that only the parsers are covered. */
const TARGETS_URL = new URL('targets.mjs', import.meta.url).href

if (isMainThread) {
  const [root = '', name = '', ...numbers] = process.argv.slice(2)
  const [seconds = 60, seed = 1, findingsMax = 20, hangMs = 5000] = numbers.map(Number)
  process.stdout.write(`${JSON.stringify(await watch({ root, name, seconds, seed, findingsMax }, hangMs))}\n`)
  process.exit()
} else await work(workerData)

interface Work {
  /** The folder of the repository. */
  root: string
  name: string
  seconds: number
  seed: number
  /** The run ends after so many. */
  findingsMax: number
  shared: SharedArrayBuffer
}

async function work({ root, name, seconds, seed, findingsMax, shared }: Work): Promise<void> {
  const { TARGETS, PLANTED }: Record<'TARGETS' | 'PLANTED', Record<string, FuzzTarget>> = await import(TARGETS_URL)
  const target = TARGETS[name] ?? PLANTED[name]
  if (!target) throw new Error(`unknown target: ${name}`)
  const length = new Int32Array(shared, 0, 1)
  const bytes = new Uint8Array(shared, 4)
  let lastBeat = 0
  const report = await fuzz(target, {
    url: TARGETS_URL,
    corpus: readCorpus(root, name).map(fromBinary),
    seconds,
    seed,
    findingsMax,
    onRun(input) {
      bytes.set(input.subarray(0, bytes.length))
      Atomics.store(length, 0, input.length)
      if (Date.now() - lastBeat < BEAT_MS) return
      lastBeat = Date.now()
      parentPort?.postMessage(null)
    },
  })
  parentPort?.postMessage(report)
}

/** An input that takes longer than `hangMs` is a finding. */
function watch(given: Omit<Work, 'shared'>, hangMs: number): Promise<FuzzReport> {
  const shared = new SharedArrayBuffer(SHARED_BYTES)
  const worker = new Worker(new URL(import.meta.url), { workerData: { ...given, shared } satisfies Work })
  // The worker reports its first run before it starts; loading it may take long on a busy machine.
  let lastRun = Number.POSITIVE_INFINITY
  return new Promise((resolve, reject) => {
    worker.on('error', reject)
    worker.on('message', (report: FuzzReport | null) => {
      lastRun = Date.now()
      if (report) resolve(report)
    })
    setInterval(() => {
      if (Date.now() - lastRun < hangMs) return
      const length = Atomics.load(new Int32Array(shared, 0, 1), 0)
      const input = Buffer.from(new Uint8Array(shared, 4, length)).toString('latin1')
      resolve({ runs: 0, blocks: 0, added: [], findings: [{ input, message: `takes longer than ${hangMs} ms` }] })
    }, CHECK_MS)
  })
}
