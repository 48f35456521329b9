import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AuditSink } from '#core'
import { auditSinkContract, openPlugin } from '#core/testing'
import auditFile from './index.js'

auditSinkContract(async () => {
  const { auditSink, dataDir, close } = await openPlugin(auditFile)
  const folder = join(dataDir, 'audit')
  return {
    sink: auditSink as AuditSink,
    async read() {
      const lines = (await readFile(join(folder, 'audit.ndjson'), 'utf8')).split('\n').slice(0, -1)
      return lines.map((line) => JSON.parse(line))
    },
    async breakReceiver() {
      await rename(folder, join(dataDir, 'moved'))
      await writeFile(folder, '')
    },
    repairReceiver: () => rm(folder),
    close,
  }
})
