/** `npm run bench -- profile create`: a CPU profile of the server under load, and where its time goes. */
import { readFile, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { StorageName } from '#test/databases'
import { findCores, pin } from './cores.js'
import { startMayfly } from './instance.js'
import type { LoadResult } from './load.js'
import { type CpuProfile, functionTimes, packageTimes, type SelfTime } from './profile-times.js'
import type { RequestKind } from './requests.js'
import { PRELOAD } from './startup.js'
import { startGenerator, warmUpFor } from './throughput.js'

export interface ProfilePlan {
  kind: RequestKind
  storage: StorageName
  connections: number
  /** Bytes of each text before it is sealed. */
  size: number
  seconds: number
  log: string
  /** Where the profile is written, for the developer tools of a browser. */
  file: string
}

export interface Profile {
  kind: RequestKind
  file: string
  load: LoadResult
  packages: SelfTime[]
  functions: SelfTime[]
}

const WRITE_MS = 30_000

export async function profile(plan: ProfilePlan): Promise<Profile> {
  const { kind, storage, connections, size, seconds, log } = plan
  const file = resolve(plan.file)
  // Otherwise the profile of an earlier run would be read.
  await rm(file, { force: true })
  const cores = findCores()
  const server = await startMayfly(storage, { log, nodeArgs: ['--import', PRELOAD], env: { BENCH_PROFILE: file } })
  if (cores) pin(server.pid, cores.server)
  const generator = startGenerator(cores)
  const job = { kind, url: server.url, pid: server.pid, size, connections, warmUp: warmUpFor(seconds, size) }
  const load = await generator.run({ ...job, amount: { seconds }, profile: true })
  generator.stop()
  const written = await readProfile(file)
  await server.stop()
  return {
    kind,
    file,
    load,
    packages: packageTimes(written, load.requests),
    functions: functionTimes(written, load.requests),
  }
}

/** Waits until the server has written it. */
async function readProfile(file: string): Promise<CpuProfile> {
  for (const deadline = Date.now() + WRITE_MS; ; await sleep(100)) {
    try {
      return JSON.parse(await readFile(file, 'utf8'))
    } catch (error) {
      if (Date.now() > deadline) throw error
    }
  }
}
