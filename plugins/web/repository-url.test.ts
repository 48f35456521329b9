import { expect, test } from 'vitest'
import { repositoryUrl } from './repository-url.js'

test.each([
  [{ type: 'git', url: 'git+https://example.org/team/mayfly.git' }, 'https://example.org/team/mayfly'],
  ['https://example.org/team/mayfly/', 'https://example.org/team/mayfly'],
  ['git@example.org:team/mayfly.git', ''],
  ['javascript:alert(1)', ''],
  [{ url: 7 }, ''],
  [null, ''],
  [undefined, ''],
])('repositoryUrl of %j is "%s"', (repository, url) => {
  expect(repositoryUrl({ repository })).toBe(url)
})
