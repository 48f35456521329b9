/** The list of components in the package: complete, and as the lockfile has them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { filesEnding, importsOf, parse, ROOT } from '#test/source-files'

interface Component {
  name: string
  group?: string
  version: string
  purl: string
  hashes: { alg: string; content: string }[]
  licenses: object[]
}
interface Sbom {
  bomFormat: string
  specVersion: string
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
  metadata: { component: { 'bom-ref': string } }
}
interface Locked {
  version: string
  integrity: string
  dev?: true
  devOptional?: true
}

const readJson = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'))
const sbom: Sbom = readJson('dist/sbom.json')
const packages: Record<string, Locked> = readJson('package-lock.json').packages
const idOf = ({ group, name, version }: Component) => `${group ? `${group}/` : ''}${name}@${version}`
const known = new Map(sbom.components.map((component) => [idOf(component), component]))

/** Packages that the code of the pages imports. */
function pageLibraries(): string[] {
  const product = filesEnding('.ts', '.tsx').filter(
    (path) => /^web\//.test(path) && !/\.test\.|\.config\.|^web\/vite-plugins\//.test(path),
  )
  const specifiers = product.flatMap((path) => importsOf(parse(path)).map(({ specifier }) => specifier))
  const names = specifiers.flatMap((text) => /^(?:@[^/]+\/)?[a-z][^/:]*/.exec(text)?.[0] ?? [])
  return [...new Set(names)].filter((name) => `node_modules/${name}` in packages)
}

test('V15.1.2: sbom.json lists every production package of the lockfile and the libraries of the pages', () => {
  const production = Object.entries(packages).flatMap(([path, { version, dev, devOptional }]) =>
    path === '' || dev || devOptional ? [] : [`${path.replace(/^.*node_modules\//, '')}@${version}`],
  )
  const ofPages = pageLibraries().map((name) => `${name}@${packages[`node_modules/${name}`]?.version}`)
  expect([...production, ...ofPages].filter((id) => !known.has(id))).toEqual([])
  expect(ofPages.map((id) => id.replace(/@[^@]*$/, ''))).toEqual(
    expect.arrayContaining(['react', 'react-dom', 'i18next']),
  )
  expect(production.length).toBeGreaterThan(200)
})

test('every component has the hash of the lockfile and a license', () => {
  expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6' })
  const hashes = new Set(Object.values(packages).map(({ integrity }) => integrity))
  for (const {
    purl,
    hashes: [hash],
    licenses,
  } of sbom.components) {
    expect(hashes, purl).toContain(`sha512-${Buffer.from(hash?.content ?? '', 'hex').toString('base64')}`)
    expect(licenses, purl).toHaveLength(1)
  }
})

test('every dependency is a component', () => {
  const purls = new Set(sbom.components.map(({ purl }) => purl))
  expect(sbom.dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !purls.has(ref))).toEqual([])
  expect(sbom.dependencies.map(({ ref }) => ref).sort()).toEqual([...purls, sbom.metadata.component['bom-ref']].sort())
})
