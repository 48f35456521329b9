// Builds the Debian packages from the executables: `node scripts/release/debian.mjs EXECUTABLES FOLDER`. Needs
// dpkg-deb, dist and the executables for this processor.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { ARCHITECTURES, nodeOf } from './executables.mjs'
import { manifest, ROOT, releaseTime, SUMMARY, version } from './product.mjs'

const DEBIAN = join(ROOT, 'scripts/release/debian')
const INSTALL = join(ROOT, 'docs/install')
const DEBIAN_ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' }
const CONFIG = '/etc/mayfly/mayfly.config.json'
/** Defaults of the variables of dpkg-deb. Levels above 10 take several times as long and save a tenth. */
const COMPRESSION = { DPKG_DEB_COMPRESSOR_TYPE: 'zstd', DPKG_DEB_COMPRESSOR_LEVEL: '10', DPKG_DEB_THREADS_MAX: '1' }
const LIBRARIES = 'libc6 (>= 2.28), libgcc-s1 | libgcc1, libstdc++6 (>= 8)'

const PACKAGES = {
  mayfly: {
    section: 'web',
    relations: {
      Depends: `${LIBRARIES}, init-system-helpers (>= 1.54), passwd`,
      Provides: 'mayfly-client',
      Conflicts: 'mayfly-client',
      Replaces: 'mayfly-client',
    },
    summary: SUMMARY,
    description: 'The server with its web app and the command line, as one program that contains Node.js.',
    addFiles: addServerFiles,
  },
  'mayfly-client': {
    section: 'utils',
    relations: { Depends: LIBRARIES },
    summary: `${SUMMARY}, client`,
    description:
      'The commands that create and read secrets, as one program that contains Node.js. The package mayfly has them too.',
    addFiles: () => {},
  },
}

/** `1.0.0-rc.1` is before 1.0.0. */
const debianVersion = version.replace('-', '~')

/** Builds a package for each executable in `executables` into `folder`, and returns the paths. */
export function buildDebianPackages(executables, folder) {
  mkdirSync(folder, { recursive: true })
  return Object.keys(PACKAGES).flatMap((name) => {
    const documents = listDocuments(name, join(executables, `${name}-linux-${process.arch}`))
    const architectures = ARCHITECTURES.filter((arch) => existsSync(join(executables, `${name}-linux-${arch}`)))
    return architectures.map((arch) => buildPackage(name, arch, documents, executables, folder))
  })
}

function buildPackage(name, arch, documents, executables, folder) {
  const tree = mkdtempSync(join(tmpdir(), 'mayfly-debian-'))
  const add = (path, content, mode = 0o644) => {
    mkdirSync(dirname(join(tree, path)), { recursive: true })
    writeFileSync(join(tree, path), content)
    chmodSync(join(tree, path), mode)
  }
  try {
    mkdirSync(join(tree, 'usr/bin'), { recursive: true })
    copyFileSync(join(executables, `${name}-linux-${arch}`), join(tree, 'usr/bin/mayfly'))
    chmodSync(join(tree, 'usr/bin/mayfly'), 0o755)
    for (const [path, content] of Object.entries(documents)) add(path, content)
    PACKAGES[name].addFiles(add)
    add('/DEBIAN/control', controlOf(name, arch, tree))
    for (const path of [tree, ...readdirSync(tree, { recursive: true, withFileTypes: true }).map(toFolder)]) {
      if (path !== null) chmodSync(path, 0o755)
    }
    const path = join(folder, `${name}_${debianVersion}_${DEBIAN_ARCHITECTURES[arch]}.deb`)
    // dpkg-deb sorts the files, and uses the time of the release for all that are newer.
    const env = { ...COMPRESSION, ...process.env, SOURCE_DATE_EPOCH: `${releaseTime}` }
    execFileSync('dpkg-deb', ['--root-owner-group', '--build', tree, path], { env, stdio: 'pipe' })
    return path
  } finally {
    rmSync(tree, { recursive: true })
  }
}

const toFolder = (entry) => (entry.isDirectory() ? join(entry.parentPath, entry.name) : null)

/**
 * Completions, man pages, and what Debian expects in /usr/share/doc, by path. `program`: the executable for this
 * processor.
 */
function listDocuments(name, program) {
  const run = (...args) => execFileSync(program, args, { encoding: 'utf8' })
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-man-'))
  run('man', '--dir', folder)
  const pages = readdirSync(folder).map((page) => [
    `/usr/share/man/man1/${page}.gz`,
    compress(readFileSync(join(folder, page))),
  ])
  rmSync(folder, { recursive: true })

  const notices = name === 'mayfly' ? 'dist' : 'dist/client'
  const doc = `/usr/share/doc/${name}`
  return {
    '/usr/share/bash-completion/completions/mayfly': run('completion', 'bash'),
    '/usr/share/zsh/vendor-completions/_mayfly': run('completion', 'zsh'),
    '/usr/share/fish/vendor_completions.d/mayfly.fish': run('completion', 'fish'),
    ...Object.fromEntries(pages),
    [`${doc}/changelog.gz`]: compress(readFileSync(join(ROOT, 'CHANGELOG.md'))),
    [`${doc}/third-party-notices.gz`]: compress(readFileSync(join(ROOT, notices, 'THIRD-PARTY-NOTICES.txt'))),
    [`${doc}/node-license.gz`]: compress(readFileSync(join(nodeOf('x64'), '../../LICENSE'))),
    [`${doc}/copyright`]: copyrightOf(doc),
  }
}

function addServerFiles(add) {
  const unit = (name) => readFileSync(join(INSTALL, name), 'utf8').replace(/^# \/etc\/systemd.*\n/, '')
  const command = (args) => `/usr/bin/mayfly --config ${CONFIG} ${args}`
  const service = unit('mayfly.service')
    .replace(/^# docs\/install\.md replaces.*\n/m, '')
    .replace('/usr/local/bin/mayfly serve', command('serve'))
    .replace('# mayfly.config.json is here, and the database,', '# The database and files are here,')
  const backup = unit('mayfly-backup.service')
    .replace(/^# The path of the program as in.*\n/m, '')
    .replace('/usr/local/bin/mayfly backup', command('backup'))
  add('/usr/lib/systemd/system/mayfly.service', service)
  add('/usr/lib/systemd/system/mayfly-backup.service', backup)
  add('/usr/lib/systemd/system/mayfly-backup.timer', unit('mayfly-backup.timer'))
  add(CONFIG, readFileSync(join(DEBIAN, 'mayfly.config.json')), 0o640)
  add('/DEBIAN/conffiles', `${CONFIG}\n`)
  add('/usr/share/doc/mayfly/README.Debian', readFileSync(join(DEBIAN, 'README.Debian')))
  for (const script of ['postinst', 'prerm', 'postrm']) {
    add(`/DEBIAN/${script}`, readFileSync(join(DEBIAN, `mayfly.${script}`)), 0o755)
  }
}

function controlOf(name, arch, tree) {
  const { section, relations, summary, description } = PACKAGES[name]
  const bytes = execFileSync('du', ['--apparent-size', '--bytes', '--summarize', tree], { encoding: 'utf8' })
  const fields = {
    Package: name,
    Version: debianVersion,
    Architecture: DEBIAN_ARCHITECTURES[arch],
    Maintainer: manifest.author,
    'Installed-Size': Math.ceil(Number.parseInt(bytes, 10) / 1024),
    ...relations,
    Section: section,
    Priority: 'optional',
    ...(manifest.homepage && { Homepage: manifest.homepage }),
    Description: `${summary}\n ${description}`,
  }
  return `${Object.entries(fields)
    .map(([key, value]) => `${key}: ${value}\n`)
    .join('')}`
}

const copyrightOf = (doc) => `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Mayfly
Comment: The program contains Node.js and the packages of ${doc}/node-license.gz
 and ${doc}/third-party-notices.gz, under the licenses there.

Files: *
Copyright: ${manifest.author}
License: Expat

License: Expat
${readFileSync(join(ROOT, 'LICENSE'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => ` ${line === '' ? '.' : line}\n`)
  .join('')}`

const compress = (content) => gzipSync(content, { level: 9 })

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [executables = '', folder = ''] = process.argv.slice(2)
  if (folder === '') throw new Error('usage: node scripts/release/debian.mjs EXECUTABLES FOLDER')
  for (const path of buildDebianPackages(resolve(executables), resolve(folder))) process.stdout.write(`${path}\n`)
}
