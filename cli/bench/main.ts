/** `npm run bench`: what a build can do on this machine. `-- --json` for programs, `-- --rounds 1 --requests 20` for a glance. */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { version } from '../version.js'
import { bareHttp, bareSqlite } from './bare.js'
import { files } from './files.js'
import { help } from './help.js'
import { load } from './load.js'
import { pageWeights } from './page-weight.js'
import { play } from './process.js'
import { printReport, type Report } from './report.js'
import { startup } from './startup.js'
import { throughput } from './throughput.js'

const TEXT_BYTES = [256, 100_000]

switch (process.argv[2]) {
  case 'load':
    await play(load)
    break
  case 'bare-http':
    await play(bareHttp)
    break
  case 'bare-sqlite':
    await play(bareSqlite)
    break
  case 'files':
    await files(process.argv.slice(3))
    break
  default:
    await main()
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      rounds: { type: 'string', default: '5' },
      requests: { type: 'string', default: '1000' },
    },
  })
  const rounds = Number(values.rounds)
  const report: Report = {
    version,
    node: process.versions.node,
    cpus: availableParallelism(),
    startup: await startup(rounds),
    help: help(4 * rounds),
    pages: await pageWeights(),
    throughput: [],
  }
  for (const bytes of TEXT_BYTES) {
    report.throughput.push(...(await throughput(bytes, { rounds, requests: Number(values.requests) })))
  }
  process.stdout.write(values.json ? `${JSON.stringify(report, null, 2)}\n` : printReport(report))
}
