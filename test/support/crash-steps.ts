/** Servers that die at a chosen step: see test/fixtures/dying-driver.cjs. */
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { type RunningServer, startServer } from './start-server.js'

const driver = fileURLToPath(new URL('../fixtures/dying-driver.cjs', import.meta.url))
/** With 1 every step is tested, which takes long; with n every n-th step. */
const EVERY = Number(process.env.MAYFLY_TEST_CRASH_EVERY || 0)

/** Starts a server that dies at this step (`before COMMIT#2`) once it is armed; null: it only counts its steps. */
export function startDying(dieAt: string | null, dataDir: string, env: Record<string, string>): Promise<RunningServer> {
  const quiet = { MAYFLY_PLUGINS: ',', MAYFLY_LOG: 'error', MAYFLY_CLEANUP_SECONDS: '3600' }
  const own: Record<string, string> = dieAt === null ? {} : { TEST_DIE_AT: dieAt }
  return startServer({ dataDir, nodeArgs: ['--require', driver], env: { ...quiet, ...env, ...own } })
}

/** From now on the steps count. */
export async function arm(server: RunningServer): Promise<void> {
  process.kill(server.pid, 'SIGUSR2')
  await server.logged(/armed/)
}

/** How many steps of each kind an armed server has done. */
export async function countSteps(server: RunningServer): Promise<Record<string, number>> {
  process.kill(server.pid, 'SIGUSR2')
  const [, counts = ''] = await server.logged(/steps (\{.*\})\n/)
  return JSON.parse(counts)
}

/** The step at which a server died; null when it did not. */
export const deathOf = (server: RunningServer): string | null => /killed at (.*)\n/.exec(server.log())?.[1] ?? null

/**
 * One step of each kind and others up to `kills`, spread over all steps: the same for the same counts. Of the kinds in
 * `among`; a server that dies before or after a SELECT leaves what it leaves after the write before.
 */
export function chooseSteps(
  counts: Record<string, number>,
  kills: number,
  among: string[] = Object.keys(counts),
): string[] {
  const kinds = Object.entries(counts)
    .filter(([kind]) => EVERY > 0 || among.includes(kind))
    .sort(([one], [other]) => (one < other ? -1 : 1))
  const stepsOf = ([kind, count]: [string, number]) => Array.from({ length: count }, (_, at) => `${kind}#${at + 1}`)
  const all = kinds.flatMap(stepsOf)
  if (EVERY > 0) return all.filter((_, at) => at % EVERY === 0)
  // Of the first half, because batches differ from run to run, and with them the counts.
  const chosen = kinds.map(([kind, count], at) => `${kind}#${1 + ((at * 7) % Math.ceil(count / 2))}`)
  const others = all.filter((step) => !chosen.includes(step))
  const missing = Math.min(Math.max(kills - chosen.length, 0), others.length)
  const spread = Array.from({ length: missing }, (_, at) => others[Math.floor((at * others.length) / missing)] ?? '')
  return [...chosen, ...spread]
}

/**
 * Kills a server at each step, and returns the steps at which a server died. `killAt` returns `deathOf` its server.
 * After a step that did not come, kills at the first step of its kind: batches, and so the counts, differ from run to
 * run. Expects that nearly every kill happened, because background work may not run, and that each of `kinds` was hit.
 */
export async function killAtEach(
  steps: string[],
  kinds: string[],
  killAt: (step: string) => Promise<string | null>,
): Promise<string[]> {
  const deaths: (string | null)[] = []
  for (const step of steps) {
    const first = `${kindOf(step)}#1`
    deaths.push((await killAt(step)) ?? (step === first ? null : await killAt(first)))
  }
  const hit = deaths.filter((death) => death !== null)
  expect(hit.length).toBeGreaterThan(deaths.length * 0.6)
  if (EVERY <= 1) expect(hit.map(kindOf)).toEqual(expect.arrayContaining(kinds))
  return hit
}

const kindOf = (step: string) => step.replace(/#\d+$/, '')
