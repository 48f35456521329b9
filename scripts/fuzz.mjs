/**
 * Fuzzes the parsers, guided by coverage: `npm run fuzz -- --seconds 60 links envelope`. Without names all of them, one
 * after the other. Exits with 1 if an input violates a property; the input is printed, and is to be added to
 * test/fuzz/corpus. `--save` adds the inputs that ran new code, and `--stop` ends a target at its first finding. An
 * input that takes longer than `--hang-ms` is a finding.
 */
import { execFile } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { build } from 'esbuild'

const root = dirname(import.meta.dirname)
const script = join(root, 'node_modules/.fuzz/main.mjs')
const options = {
  seconds: { type: 'string', default: '60' },
  seed: { type: 'string' },
  save: { type: 'boolean' },
  stop: { type: 'boolean' },
  'hang-ms': { type: 'string', default: '5000' },
}
const { values, positionals } = parseArgs({ options, allowPositionals: true })
const seed = values.seed ?? String(Date.now() % 2 ** 31)
const bundle = (entry, outfile) =>
  build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'error',
    // Packages in CommonJS call it.
    banner: { js: "import { createRequire } from 'node:module'\nconst require = createRequire(import.meta.url)" },
  })

await bundle('test/fuzz/main.ts', script)
await bundle('test/fuzz/targets/index.ts', join(dirname(script), 'targets.mjs'))
const { TARGETS } = await import(join(dirname(script), 'targets.mjs'))
const names = positionals.length > 0 ? positionals : Object.keys(TARGETS)

for (const name of names) {
  const args = [script, root, name, values.seconds, seed, values.stop ? '1' : '20', values['hang-ms']]
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 28 })
  const { runs, blocks, added, findings } = JSON.parse(stdout)
  print(
    `${name}: ${runs} runs, ${blocks} blocks, ${added.length} new inputs, ${findings.length} findings, seed ${seed}`,
  )
  for (const { input, message } of findings) {
    print(`  ${message}\n  ${JSON.stringify(input)}`)
    process.exitCode = 1
  }
  if (values.save) {
    const lines = added.map((input) => `${JSON.stringify(input)}\n`).join('')
    appendFileSync(join(root, `test/fuzz/corpus/${name}.ndjson`), lines)
  }
}

function print(line) {
  process.stdout.write(`${line}\n`)
}
