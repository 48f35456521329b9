/** The benchmark of files still measures: every figure is there and can be true. How good they are is nobody's test. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hasS3Server } from '#test/s3'
import { ROOT } from '#test/source-files'
import type { Transfer } from './files.js'

test.skipIf(!existsSync('/proc/self/clear_refs'))(
  'one small file (needs the /proc of Linux)',
  async () => {
    const args = [join(ROOT, 'dist/bench.js'), 'files', '--json', '--size', '10', '--only', 'cli']
    const rows: Transfer[] = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))
    expect(rows.map(({ what }) => what).slice(0, 3)).toEqual(['upload', 'download', 'upload of a pipe'])
    expect(rows).toHaveLength((await hasS3Server()) ? 6 : 3)
    for (const { mbPerSecond, clientMib, serverGrowthMib } of rows) {
      expect(mbPerSecond).toBeGreaterThan(0)
      expect(clientMib).toBeGreaterThan(20)
      expect(serverGrowthMib).toBeGreaterThanOrEqual(0)
    }
  },
  120_000,
)
