/** The order of the test files of a run, so that no long file is left to run alone at the end. */
import type { TestSpecification } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'

/** Tiers in the order in which they start. Files of chaos mostly wait, so others run beside the last ones. */
const TIERS = ['chaos', 'e2e', 'a11y', 'engines', 'fast']

/**
 * Files that take longer than others of their size: they wait, start many processes, build, or only name a suite.
 * The end of a run with `CI` set names the slowest files.
 */
export const LONG_FILES = [
  'test/chaos/event-crash',
  'test/chaos/delivery',
  'test/chaos/upload-crash',
  'test/chaos/server-crash',
  'test/chaos/bench',
  'test/chaos/fail-points',
  'test/chaos/response-times',
  'test/chaos/shutdown',
  'test/chaos/database-outage',
  'test/chaos/rolling-upgrade',
  'test/chaos/postgres-failover',
  'test/chaos/slow-clients',
  'test/packaging/release',
  'test/packaging/reproducible-build',
  'test/packaging/tarball',
  'plugins/knex/migrations/migrator.engines',
  'test/engines/create-plugin',
  'plugins/mysql/mysql-contract.engines',
  'plugins/postgres/postgres-contract.engines',
  'plugins/postgres/pooler.engines',
  'plugins/mysql/mysql-race.engines',
  'plugins/postgres/postgres-race.engines',
  'test/support/needs',
]

/** By tier, then the long files, then the larger ones, or the slower ones of the last run. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.sort((one, other) => rank(one) - rank(other))
  }
}

function rank({ project, moduleId }: TestSpecification): number {
  const long = LONG_FILES.findIndex((name) => moduleId.includes(`/${name}.`))
  return TIERS.indexOf(project.name) * (LONG_FILES.length + 1) + (long === -1 ? LONG_FILES.length : long)
}
