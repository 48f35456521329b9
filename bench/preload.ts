/**
 * Loaded into a server with `--import`. With BENCH_PROFILE, the first SIGUSR2 starts the CPU profiler and the second
 * one writes the profile to that file. With BENCH_MEMORY_MS, the memory usage is printed after that many ms.
 */
import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector'

const SAMPLING_MICROS = 200
const { BENCH_PROFILE, BENCH_MEMORY_MS } = process.env

if (BENCH_PROFILE) {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.setSamplingInterval', { interval: SAMPLING_MICROS })
  process.once('SIGUSR2', () => {
    session.post('Profiler.start')
    process.once('SIGUSR2', () => {
      session.post('Profiler.stop', (_, { profile }) => {
        writeFileSync(BENCH_PROFILE, JSON.stringify(profile))
        process.stderr.write('profile written\n')
      })
    })
  })
}

if (BENCH_MEMORY_MS) {
  const print = () => process.stderr.write(`memory ${JSON.stringify(process.memoryUsage())}\n`)
  setTimeout(print, Number(BENCH_MEMORY_MS)).unref()
}
