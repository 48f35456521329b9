/** Stack traces of a checkout name TypeScript files: the package has no maps, so only the scripts turn them on. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import manifest from '#package' with { type: 'json' }
import { MEMORY_ENV } from '#test/memory-plugin'
import { ROOT } from '#test/source-files'
import { startServer } from '#test/start-server'

const PLUGIN = join(ROOT, 'test/fixtures/plugins/failing-route.js')

test('npm start logs the TypeScript file and line of an unexpected error', async () => {
  const [nodeArgs = ''] = /(?<=^node ).*(?= dist\/cli\.js)/.exec(manifest.scripts.start) ?? []
  const server = await startServer({
    nodeArgs: nodeArgs.split(' ').filter((arg) => arg !== ''),
    env: { ...MEMORY_ENV, MAYFLY_PLUGINS: PLUGIN },
  })
  const { status } = await fetch(`http://127.0.0.1:${server.port}/api/v1/failing`)
  expect(status).toBe(500)
  const [, at] = await server.logged(/"unexpected error".*"at":"([^"]*)"/)
  await server.stop()
  expect(at).toMatch(/failing-route\.js:15:\d+\) .*\/core\/http\/routes\/plugin-routes\.ts:\d+:\d+/)
  expect(at).not.toContain(join(ROOT, 'dist'))
})

test('source maps contain no absolute paths, so that the folder of a build does not change its files', () => {
  const maps = readdirSync(join(ROOT, 'dist')).filter((name) => name.endsWith('.js.map'))
  const sourcesOf = (name: string): string[] => JSON.parse(readFileSync(join(ROOT, 'dist', name), 'utf8')).sources
  const absolute = maps.flatMap(sourcesOf).filter((source) => /^([\w-]+:)?\//.test(source) || source.includes(ROOT))
  expect([...new Set(absolute)]).toEqual([])
  expect(maps.length).toBeGreaterThan(50)
})
