/**
 * `npm run bench`: what a build can do on this machine. `-- --json` for programs, `-- --rounds 1 --requests 20` for a glance,
 * `-- throughput` for one part alone, `-- sweep --rows 1000000` for one that takes longer and is not run otherwise, after
 * so many seconds of `--quiet`, for so many of `--watch` at most. `--engine mysql` for one engine, where there would be all.
 */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { version } from '#cli/lib/version'
import { availableEngines } from '#test/databases'
import { bareHttp, bareSqlite } from './bare.js'
import { budgets } from './budgets.js'
import { files } from './files.js'
import { groupCommit } from './group-commit.js'
import { help } from './help.js'
import { load } from './load.js'
import { pageWeights } from './page-weight.js'
import { play } from './process.js'
import { printReport, type Report } from './report.js'
import { startup } from './startup.js'
import { store } from './store.js'
import { sweep } from './sweep.js'
import { throughput } from './throughput.js'

const TEXT_BYTES = [256, 100_000]
const USUAL_PARTS = ['start', 'pages', 'throughput', 'group-commit']
const PARTS = [...USUAL_PARTS, 'sweep']

switch (process.argv[2]) {
  case 'load':
    await play(load)
    break
  case 'store':
    await play(store)
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
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      rounds: { type: 'string', default: '3' },
      requests: { type: 'string', default: '1000' },
      rows: { type: 'string', default: '100000' },
      quiet: { type: 'string', default: '20' },
      watch: { type: 'string', default: '3600' },
      engine: { type: 'string' },
    },
  })
  const effort = { rounds: Number(values.rounds), requests: Number(values.requests) }
  const parts = new Set(positionals.length > 0 ? positionals : USUAL_PARTS)
  const unknown = positionals.find((part) => !PARTS.includes(part))
  if (unknown) throw new Error(`"${unknown}" is none of ${PARTS.join(', ')}, files`)
  const engines = (await availableEngines()).filter((engine) => engine === (values.engine ?? engine))
  const report: Report = { version, node: process.versions.node, cpus: availableParallelism() }
  if (parts.has('start')) {
    report.startup = await startup(effort.rounds)
    report.help = help(4 * effort.rounds)
  }
  if (parts.has('pages')) {
    report.pages = await pageWeights()
    report.budgets = await budgets()
    // How long something takes is the machine's doing too.
    if (report.budgets?.some(({ value, limit, unit }) => unit !== 'ms' && value > limit)) process.exitCode = 1
  }
  if (parts.has('throughput')) {
    report.throughput = []
    for (const bytes of TEXT_BYTES) report.throughput.push(...(await throughput(bytes, effort)))
  }
  if (parts.has('group-commit')) report.groupCommit = await groupCommit(engines, effort)
  if (parts.has('sweep'))
    report.sweep = await sweep(engines, Number(values.rows), {
      quiet: Number(values.quiet),
      watch: Number(values.watch),
    })
  process.stdout.write(values.json ? `${JSON.stringify(report, null, 2)}\n` : printReport(report))
}
