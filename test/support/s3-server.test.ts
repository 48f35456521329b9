/** `.ci/s3-server` beside a server that listens already. The server itself is used by the tests of the file store. */
import { spawnSync } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './source-files.js'

test.each([0, 4])('.ci/s3-server refuses a port when port + %i is in use', async (offset) => {
  const server = createServer().unref()
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port))
  })
  const { status, stdout, stderr } = spawnSync(join(ROOT, '.ci/s3-server'), [`${port - offset}`], { encoding: 'utf8' })
  server.close()
  expect(stderr).toMatch(/^Port \d+ is in use: .*\.\n$/)
  expect([status, stdout]).toEqual([1, ''])
})
