import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Plugin } from '#core'
import { freePort } from '#core/runtime'
import { builtIns } from '#plugins'
import type { InstanceConfig } from '../../instance/instance-config.js'
import { checkAuditSinks } from './audit-sink-checks.js'

async function check(name: 'audit-file' | 'audit-syslog' | 'web', dataDir: string, options: object = {}) {
  const plugin = (await builtIns[name]()).default as unknown as Plugin
  const settings = { dataDir, publicUrl: 'https://secrets.example.org' }
  const plugins = [{ plugin, options: plugin.options.parse(options) }]
  return checkAuditSinks({ settings, plugins } as unknown as InstanceConfig)
}

test('doctor checks the configured audit sinks and says why one cannot be written', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-doctor-'))
  try {
    expect(await check('audit-file', folder)).toMatchObject([{ level: 'ok', check: 'audit-file' }])
    expect(await readdir(folder)).toEqual([])
    await writeFile(join(folder, 'a-file'), '')
    const [fault] = await check('audit-file', folder, { file: 'a-file/audit.ndjson' })
    expect(fault).toMatchObject({ level: 'fail', message: 'audit entries cannot be written: ENOTDIR' })
    const [refused] = await check('audit-syslog', folder, { url: `tcp://127.0.0.1:${await freePort()}` })
    expect(refused).toMatchObject({ level: 'fail', message: 'audit entries cannot be written: ECONNREFUSED' })
    expect(refused?.fix).toContain('docs/audit-sinks.md')
    expect(await check('web', folder)).toEqual([])
  } finally {
    await rm(folder, { recursive: true })
  }
})
