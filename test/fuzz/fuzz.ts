/** The loop of a fuzzer that is guided by coverage. */
import { startCoverage } from './coverage.js'
import { createRandom, mutate, type Random } from './mutate.js'
import { type FuzzTarget, fromBinary, toBinary } from './target.js'

export interface Finding {
  /** One character for each byte. */
  input: string
  message: string
}

export interface FuzzReport {
  runs: number
  /** Blocks of code that ran. */
  blocks: number
  /** Inputs that ran a block which no earlier input did. */
  added: string[]
  /** At most one for each place in the code. */
  findings: Finding[]
}

interface Options {
  /** Of the script that contains the parsers. */
  url: string
  corpus: Uint8Array[]
  seconds: number
  seed: number
  /** The run ends after so many. */
  findingsMax: number
  /** Called before each run. */
  onRun(input: Uint8Array): void
}

/** Reading the coverage takes longer than a run, so the first look is at several runs together. */
const BATCH = 32
/** One of this many batches is looked at one by one, to notice new counts of known blocks. */
const SINGLE_EVERY = 16

/** Runs the corpus, then mutations of it. The same seed gives the same mutations, as long as the code is the same. */
export async function fuzz(
  target: FuzzTarget,
  { url, corpus, seconds, seed, findingsMax, onRun }: Options,
): Promise<FuzzReport> {
  const coverage = startCoverage(url)
  const random = createRandom(seed)
  const tokens = target.tokens.map((token) => Buffer.from(token))
  const inputs: Uint8Array[] = []
  const added: string[] = []
  const findings = new Map<string, Finding>()
  let [runs, blocks] = [0, 0]

  async function run(input: Uint8Array): Promise<void> {
    onRun(input)
    runs++
    try {
      await target.run(input)
    } catch (error) {
      const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
      const place = error instanceof Error ? (error.stack?.split('\n').find((line) => /^ +at /.test(line)) ?? '') : ''
      if (!findings.has(place)) findings.set(place, { input: toBinary(input), message })
    }
  }
  /** Returns whether it ran new code. */
  async function runAlone(input: Uint8Array): Promise<boolean> {
    await run(input)
    const found = coverage.add()
    blocks += found
    return found > 0
  }
  async function runBatch(batch: Uint8Array[]): Promise<void> {
    for (const input of batch) await run(input)
    if (!coverage.hasNew()) return
    for (const input of batch) if (await runAlone(input)) keep(input)
  }
  function keep(input: Uint8Array): void {
    inputs.push(input)
    added.push(toBinary(input))
  }

  for (const input of [...corpus, ...tokens, Buffer.alloc(0)]) if (await runAlone(input)) inputs.push(input)
  const until = Date.now() + seconds * 1000
  for (let round = 0; Date.now() < until && findings.size < findingsMax; round++) {
    const draw = () => mutate(pick(inputs, random) ?? fromBinary(''), tokens, inputs, random)
    const batch = Array.from({ length: BATCH }, draw)
    if (round % SINGLE_EVERY > 0) await runBatch(batch)
    else for (const input of batch) if (await runAlone(input)) keep(input)
  }
  coverage.stop()
  return { runs, blocks, added, findings: [...findings.values()] }
}

/** Half of the time one of the newest quarter, which got furthest. */
function pick<T>(inputs: T[], random: Random): T | undefined {
  const newest = Math.ceil(inputs.length / 4)
  return random(2) === 0 ? inputs[random(inputs.length)] : inputs[inputs.length - 1 - random(newest)]
}
