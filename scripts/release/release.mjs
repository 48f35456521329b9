// Writes every file of a release to a folder: `npm run release -- --dry-run`. Two runs on one commit write the same
// files. Nothing is published: .github/workflows/release.yml does that. See docs/releasing.md.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildDebianPackages } from './debian.mjs'
import { ARCHITECTURES, buildExecutables } from './executables.mjs'
import { chartsName, findRepository, imageName, ROOT, version } from './product.mjs'
import { writeTar } from './tar.mjs'
import { writeTemplates } from './templates.mjs'

const CHART = join(ROOT, 'docs/install/chart')

class UsageError extends Error {}

async function main() {
  const { isDryRun, folder, tag, architectures } = parseFlags()
  const repository = findRepository(isDryRun)
  if (repository === null) {
    throw new UsageError('package.json has no "repository": npm pkg set repository=https://github.com/OWNER/NAME')
  }
  if (tag !== undefined && tag !== `v${version}`)
    throw new UsageError(`the tag ${tag} is not v${version} of package.json`)
  if (!existsSync(join(ROOT, 'dist/.built'))) throw new UsageError('dist is missing: npm run build')
  const notes = readNotes()
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  packForNpm(repository, folder)
  await buildExecutables(folder, architectures)
  buildDebianPackages(folder, folder)
  await writeTar(join(folder, `mayfly-chart-${version}.tgz`), listChart(repository))
  await writeTar(join(folder, `mayfly-image-context-${version}.tar.gz`), listImageContext())
  copyFileSync(join(ROOT, 'dist/sbom.json'), join(folder, `mayfly-${version}.cdx.json`))
  writeFileSync(join(folder, 'NOTES.md'), notes)
  const image = imageName(repository)
  // They contain the checksums of all executables.
  if (architectures.length === ARCHITECTURES.length) writeTemplates(folder, { repository, image })
  const facts = { version, repository, image, charts: chartsName(repository) }
  writeFileSync(join(folder, 'release.json'), `${JSON.stringify(facts, null, 2)}\n`)
  writeChecksums(folder)
  for (const name of listFiles(folder).sort()) process.stdout.write(`${join(folder, name)}\n`)
}

function parseFlags() {
  const text = { type: 'string' }
  const options = { 'dry-run': { type: 'boolean' }, out: text, tag: text, architecture: text }
  try {
    const { values } = parseArgs({ options })
    const isDryRun = values['dry-run'] === true
    const architectures = ARCHITECTURES.filter((arch) => [arch, undefined].includes(values.architecture))
    if (architectures.length === 0) throw new Error(`--architecture must be one of ${ARCHITECTURES.join(', ')}`)
    if (values.architecture && !isDryRun)
      throw new Error('--architecture needs --dry-run: a release has all executables')
    return { isDryRun, folder: resolve(values.out ?? join(ROOT, 'release')), tag: values.tag, architectures }
  } catch (error) {
    throw new UsageError(error.message)
  }
}

/** The section of this version in the CHANGELOG. */
function readNotes() {
  const text = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')
  const [, section] = text.split(`\n## [${version}]`)
  if (section === undefined) throw new UsageError(`CHANGELOG.md has no section "## [${version}]"`)
  return `${section
    .split('\n## ')[0]
    .replace(/^[^\n]*\n/, '')
    .trim()}\n`
}

/** Packs both packages in one run of npm. The build is there, so `prepack` does not run. */
function packForNpm(repository, folder) {
  const copy = copyCreatePlugin(repository)
  const args = ['pack', '--ignore-scripts', '--pack-destination', folder, ROOT, copy]
  execFileSync('npm', args, { cwd: ROOT, stdio: 'pipe' })
  rmSync(copy, { recursive: true })
}

/**
 * The package that creates plugins, with the repository of this one: npm compares it with the origin of the package.
 */
function copyCreatePlugin(repository) {
  const copy = mkdtempSync(join(tmpdir(), 'mayfly-create-plugin-'))
  cpSync(join(ROOT, 'plugins/create-plugin'), copy, { recursive: true })
  const manifest = JSON.parse(readFileSync(join(copy, 'package.json'), 'utf8'))
  manifest.repository = { type: 'git', url: `git+${repository}.git`, directory: 'plugins/create-plugin' }
  writeFileSync(join(copy, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  return copy
}

/** As `helm package` names them, with the published image and the repository. */
function listChart(repository) {
  const files = Object.fromEntries(listFiles(CHART).map((name) => [`mayfly/${name}`, join(CHART, name)]))
  const read = (name) => readFileSync(join(CHART, name), 'utf8')
  const values = read('values.yaml').replace(/^ {2}repository: mayfly$/m, `  repository: ${imageName(repository)}`)
  const about = `${read('Chart.yaml')}home: ${repository}\nsources:\n  - ${repository}\n`
  return Object.assign(files, { 'mayfly/values.yaml': Buffer.from(values), 'mayfly/Chart.yaml': Buffer.from(about) })
}

/** What `docker build` sends: the lines of .dockerignore that begin with `!`. */
function listImageContext() {
  const lines = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n')
  const included = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
  const tracked = execFileSync('git', ['ls-files', '-z', '--', ...included], { cwd: ROOT, encoding: 'utf8' })
  const names = tracked.split('\0').filter((name) => name !== '' && !/\.test\.tsx?$/.test(name))
  return Object.fromEntries(['Dockerfile', '.dockerignore', ...names].map((name) => [name, join(ROOT, name)]))
}

const listFiles = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))

/** In the format of `sha256sum --check`. */
function writeChecksums(folder) {
  const line = (name) =>
    `${createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex')}  ${name}\n`
  writeFileSync(join(folder, 'SHA256SUMS'), listFiles(folder).sort().map(line).join(''))
}

try {
  await main()
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  process.stderr.write(`release: error: ${error.message}\n`)
  process.exitCode = 2
}
