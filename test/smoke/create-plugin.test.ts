/** The files of new projects. test/engines/create-plugin.test.ts runs their tests. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import manifest from '#package' with { type: 'json' }
import { ROOT } from '#test/source-files'

const PROGRAM = join(ROOT, 'plugins/create-plugin/create-plugin.mjs')
const folder = mkdtempSync(join(tmpdir(), 'mayfly-create-'))
afterAll(() => rmSync(folder, { recursive: true }))

const create = (...args: string[]) => spawnSync(process.execPath, [PROGRAM, ...args], { cwd: folder, encoding: 'utf8' })

test.each(['storage', 'files', 'auth', 'events'])('a project of kind %s has its name and no placeholder', (kind) => {
  execFileSync(process.execPath, [PROGRAM, `my-${kind}`, '--kind', kind], { cwd: folder })
  const project = join(folder, `my-${kind}`)
  const names = readdirSync(project, { recursive: true, encoding: 'utf8' })
  expect(names.map((name) => name.replaceAll('\\', '/')).sort()).toEqual(
    expect.arrayContaining(['.gitignore', 'README.md', 'package.json', 'src/index.ts', `test/${kind}.test.ts`]),
  )
  const files = ['package.json', 'README.md', 'tsconfig.json', 'src/index.ts', `test/${kind}.test.ts`]
  const texts = files.map((name) => readFileSync(join(project, name), 'utf8'))
  for (const text of texts) expect(text).not.toMatch(/\{\{|undefined\b.*\}\}/)
  expect(JSON.parse(texts[0] as string)).toMatchObject({
    name: `my-${kind}`,
    // The clone is packed into the project.
    devDependencies: { mayfly: `file:mayfly-${manifest.version}.tgz` },
  })
  expect(texts[3]).toContain(`name: 'my-${kind}'`)
})

test('the printed steps pack the clone into the project', () => {
  const { stdout } = create('steps', '--kind', 'files')
  expect(stdout.replaceAll(ROOT.replace(/\/$/, ''), '/clone').replaceAll(join(folder, 'steps'), '/steps')).toBe(
    'created /steps\n\n  (cd /clone && npm pack --pack-destination /steps)\n  cd steps\n  npm install\n  npm test\n',
  )
  const { stdout: given } = create('other', '--kind', 'files', '--mayfly', 'file:../mayfly.tgz')
  expect(given).not.toContain('npm pack')
})

test('wrong usage exits with 2, and a folder that is not empty with 8', () => {
  const refused = (...args: string[]) => {
    const { status, stderr } = create(...args)
    return [status, /error: (.*)/.exec(stderr)?.[1]]
  }
  expect(refused()).toEqual([2, 'missing folder'])
  expect(refused('a-plugin')).toEqual([2, expect.stringContaining('missing --kind')])
  expect(refused('a-plugin', '--kind', 'page')).toEqual([2, expect.stringContaining('unknown kind')])
  expect(refused('a-plugin', '--color')).toEqual([2, expect.stringContaining('--color')])
  expect(refused('Größe', '--kind', 'auth')).toEqual([2, expect.stringContaining('is not a plugin name')])
  expect(refused('taken', '--kind', 'auth')).toEqual([0, undefined])
  expect(refused('taken', '--kind', 'auth')).toEqual([8, expect.stringContaining('is not empty')])
  expect(create('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('--kind storage|files') })
})
