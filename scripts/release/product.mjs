// Name and source of a release, from package.json and the commit.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export const ROOT = dirname(dirname(import.meta.dirname))
export const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
export const { version } = manifest
export const SUMMARY = 'Self-hosted, end-to-end encrypted one-time secrets'

/** Time of the commit, in s since 1970: the time of everything in a release. SOURCE_DATE_EPOCH replaces it. */
export const releaseTime = Number(
  process.env.SOURCE_DATE_EPOCH ?? execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: ROOT, encoding: 'utf8' }),
)

/** The repository of a dry run as long as package.json names none. */
const EXAMPLE = 'https://github.com/example/mayfly'

/** URL of the repository in package.json, without `.git`. Without one: an example for a dry run, else null. */
export function findRepository(isDryRun) {
  const { repository } = manifest
  const url = typeof repository === 'object' ? repository.url : repository
  if (url === undefined) return isDryRun ? EXAMPLE : null
  return url.replace(/^git\+/, '').replace(/\.git$/, '')
}

/** Names in the container registry beside the repository. Names of images are lower case. */
export const imageName = (repository) => `ghcr.io${new URL(repository).pathname.toLowerCase()}`
export const chartsName = (repository) => `ghcr.io/${new URL(repository).pathname.split('/')[1].toLowerCase()}/charts`
