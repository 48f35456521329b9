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
  })
  afterAll(async () => {
    await database?.drop()
    await rm(folder, { recursive: true })
  })

  test.each(Object.entries(TESTS))(
    'of kind %s type-checks, builds and passes its tests',
    async (kind, count) => {
      const project = join(folder, `my-${kind}`)
      const node = async (args: string[], cwd = project) => {
        // Not the variables of the vitest that runs this test.
        const env = bareEnvironment({ PG_URL: database.options.url ?? '', PGOPTIONS: '-c synchronous_commit=off' })
        // A failed run writes its report, too.
        const run = promisify(execFile)(process.execPath, args, { cwd, env, maxBuffer: 2 ** 26 })
        return run.catch((failed: { stdout: string; stderr: string }) => failed)
      }
      await node([join(ROOT, 'plugins/create-plugin/create-plugin.mjs'), project, '--kind', kind], folder)
      const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
      expect((await node([tsc])).stdout).toBe('')
      expect((await node([tsc, '-p', 'tsconfig.build.json'])).stdout).toBe('')
      const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
      const { stdout } = await node([vitest, 'run', '--root', project, '--testTimeout', '60000', '--reporter', 'json'])
      const { testResults }: Report = JSON.parse(stdout)
      expect(testResults.flatMap(({ status, message }) => (status === 'passed' ? [] : message))).toEqual([])
      const results = testResults.flatMap(({ assertionResults }) => assertionResults)
      expect(results.filter(({ status }) => status !== 'passed')).toEqual([])
      expect(results.length).toBeGreaterThanOrEqual(count)
      const check = await node([
        join(ROOT, 'dist/cli.js'),
        'plugin',
        'check',
        './dist/index.js',
        ...OPTIONS[kind as Kind],
      ])
      expect(check.stdout).toMatch(new RegExp(`^ok {4}load: plugin "my-${kind}", contract 1\n`))
      expect(check.stdout).not.toMatch(/^fail/m)
    },
    300_000,
  )

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

/** Without them, the plugin is not started. */
const OPTIONS: Record<Kind, string[]> = {
  storage: [],
  files: [],
  auth: [],
  events: ['--set', 'my-events.url=https://example.org'],
}

/** What vitest's JSON reporter writes. */
interface Report {
  /** `message`: why the file could not be loaded. */
  testResults: {
    status: string
    message: string
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[]
  }[]
}
