/**
 * New projects of plugin authors: they type-check, build, and pass their own tests, in a folder outside the repository.
 */
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeDatabase, type TestDatabase } from '#test/databases'
import { needs } from '#test/needs'
import { bareEnvironment } from '#test/run-cli'
import { ROOT } from '#test/source-files'

const DEPENDENCIES = ['knex', 'pg', 'typescript', 'vitest', 'zod', '@types/node']
/** The least number of tests of each kind. */
const TESTS = { storage: 120, files: 40, auth: 4, events: 6 }

describe('a new project', needs('postgres'), () => {
  let folder: string
  let database: TestDatabase
  beforeAll(async () => {
    database = await makeDatabase('postgres')
    folder = await mkdtemp(join(tmpdir(), 'mayfly-create-'))
    await install()
    for (const kind of KINDS)
      await node([join(ROOT, 'plugins/create-plugin/create-plugin.mjs'), projectOf(kind), '--kind', kind], folder)
  })
  afterAll(async () => {
    await database?.drop()
    await rm(folder, { recursive: true })
  })

  const projectOf = (kind: Kind) => join(folder, `my-${kind}`)

  function node(args: string[], cwd: string): Promise<{ stdout: string }> {
    // Not the variables of the vitest that runs this test.
    const env = bareEnvironment({ PG_URL: database.options.url ?? '', PGOPTIONS: '-c synchronous_commit=off' })
    // A failed run writes its report, too.
    const run = promisify(execFile)(process.execPath, args, { cwd, env, maxBuffer: 2 ** 26 })
    return run.catch((failed: { stdout: string }) => failed)
  }

  test('of each kind type-checks and builds, and its plugin loads', async () => {
    // One compiler for all: it reads the types of the packages once.
    const configs = KINDS.flatMap((kind) => [projectOf(kind), join(projectOf(kind), 'tsconfig.build.json')])
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
    expect((await node([tsc, '--build', ...configs], folder)).stdout).toBe('')
    for (const kind of KINDS) {
      const args = [join(ROOT, 'dist/cli.js'), 'plugin', 'check', './dist/index.js', ...OPTIONS[kind]]
      const { stdout } = await node(args, projectOf(kind))
      expect(stdout).toMatch(new RegExp(`^ok {4}load: plugin "my-${kind}", contract 1\n`))
      expect(stdout).not.toMatch(/^fail/m)
    }
  }, 300_000)

  test('of each kind passes its tests', async () => {
    const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
    const args = ['run', '--root', folder, '--testTimeout', '60000', '--reporter', 'json']
    const { testResults }: Report = JSON.parse((await node([vitest, ...args], folder)).stdout)
    expect(testResults.flatMap(({ status, message }) => (status === 'passed' ? [] : message))).toEqual([])
    for (const kind of KINDS) {
      const ofKind = testResults.filter(({ name }) => name.startsWith(`${projectOf(kind)}/`))
      const results = ofKind.flatMap(({ assertionResults }) => assertionResults)
      expect(results.filter(({ status }) => status !== 'passed')).toEqual([])
      expect(results.length).toBeGreaterThanOrEqual(TESTS[kind])
    }
  }, 300_000)

  /**
   * Has the result of `npm install` in every project below, and takes less time. A link to the repository would not be
   * external for vitest.
   */
  async function install(): Promise<void> {
    const modules = join(folder, 'node_modules')
    await mkdir(join(modules, '@types'), { recursive: true })
    await cp(join(ROOT, 'dist'), join(modules, 'mayfly/dist'), { recursive: true })
    await cp(join(ROOT, 'package.json'), join(modules, 'mayfly/package.json'))
    for (const name of DEPENDENCIES) await symlink(join(ROOT, 'node_modules', name), join(modules, name))
  }
})

type Kind = keyof typeof TESTS
const KINDS = Object.keys(TESTS) as Kind[]

/** Without them, the plugin is not started. */
const OPTIONS: Record<Kind, string[]> = {
  storage: [],
  files: [],
  auth: [],
  events: ['--set', 'my-events.url=https://example.org'],
}

/** The output of vitest's JSON reporter. */
interface Report {
  /** `name`: path of the file. `message`: why it could not be loaded. */
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[]
  }[]
}
