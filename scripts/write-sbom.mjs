// Build step: writes dist/sbom.json, the components of the package in the format CycloneDX 1.6. It is made from the
// lockfile, so two builds of one commit write the same.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Bundled into the pages. They are development dependencies, because nothing of them is installed with the package. */
const PAGE_LIBRARIES = [
  '@simplewebauthn/browser',
  'client-zip',
  'i18next',
  'react',
  'react-dom',
  'react-i18next',
  'react-router',
  'uqr',
]

const root = join(import.meta.dirname, '..')
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
const { dependencies, optionalDependencies, ...self } = lock['']

/** Paths of the packages that this one needs, as node finds them: in its own node_modules, then in those above. */
const neededBy = (path) => {
  const { dependencies = {}, optionalDependencies = {} } = lock[path]
  return Object.keys({ ...dependencies, ...optionalDependencies }).flatMap((name) => findPackage(path, name) ?? [])
}

function findPackage(from, name) {
  for (let folder = from; ; folder = folder.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/, '')) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
    if (path in lock) return path
    if (folder === '') return undefined
  }
}

/** These packages and all that they need. */
function closureOf(paths) {
  const found = new Set(paths)
  for (const path of found) for (const needed of neededBy(path)) found.add(needed)
  return [...found].sort()
}

const nameOf = (path) => path.replace(/^.*node_modules\//, '')
const purlOf = (path) => `pkg:npm/${nameOf(path).replace('@', '%40')}@${lock[path].version}`

function toComponent(path) {
  const { integrity = '', license, optional } = lock[path]
  const [group, name] = nameOf(path).startsWith('@') ? nameOf(path).split('/') : ['', nameOf(path)]
  const [algorithm, hash = ''] = integrity.split('-')
  return {
    type: 'library',
    'bom-ref': purlOf(path),
    ...(group && { group }),
    name,
    version: lock[path].version,
    scope: optional ? 'optional' : 'required',
    ...(algorithm === 'sha512' && {
      hashes: [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }],
    }),
    ...(license && { licenses: [/[ (]/.test(license) ? { expression: license } : { license: { id: license } }] }),
    purl: purlOf(path),
  }
}

const direct = [...Object.keys({ ...dependencies, ...optionalDependencies }), ...PAGE_LIBRARIES]
const directPaths = direct.flatMap((name) => findPackage('', name) ?? [])
const paths = closureOf(directPaths)
/** A package may be in several folders in the same version. */
const onePerVersion = [...new Map(paths.map((path) => [purlOf(path), path])).values()]
const product = `pkg:npm/mayfly@${self.version}`
const dependsOn = (ref, needed) => ({ ref, dependsOn: [...new Set(needed.map(purlOf))].sort() })

const sbom = {
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: {
    component: {
      type: 'application',
      'bom-ref': product,
      name: 'mayfly',
      version: self.version,
      licenses: [{ license: { id: self.license } }],
      purl: product,
    },
  },
  components: onePerVersion.map(toComponent),
  dependencies: [
    dependsOn(product, directPaths),
    ...onePerVersion.map((path) => dependsOn(purlOf(path), neededBy(path))),
  ],
}
writeFileSync(join(root, 'dist/sbom.json'), `${JSON.stringify(sbom)}\n`)
