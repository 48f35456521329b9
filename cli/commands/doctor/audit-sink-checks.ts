/** Checks whether the audit sinks can be written to. */
import { dirname, resolve } from 'node:path'
import type { Hooks } from '#core'
import { noLog } from '#core/runtime'
import type { InstanceConfig } from '../../instance/instance-config.js'
import { type CheckResult, fail, ok } from './check-result.js'
import { removeCreatedFiles } from './remove-created-files.js'

/** Their `setup` creates nothing but a missing file. */
const SINKS = ['audit-file', 'audit-syslog', 'audit-stdout']

export async function checkAuditSinks({ settings, plugins }: InstanceConfig): Promise<CheckResult[]> {
  const context = { log: noLog, dataDir: settings.dataDir, publicUrl: settings.publicUrl, clock: Date }
  const sinks = plugins.filter(({ plugin }) => SINKS.includes(plugin.name))
  return Promise.all(
    sinks.map(({ plugin, options }) =>
      removeCreatedFiles(listFiles(options.file, settings.dataDir), () =>
        checkSink(plugin.name, async () => plugin.setup(options, context)),
      ),
    ),
  )
}

/** The file of the sink, if it has one, and its folder. */
function listFiles(file: unknown, dataDir: string): string[] {
  if (typeof file !== 'string') return []
  const path = resolve(dataDir, file)
  return [path, dirname(path)]
}

async function checkSink(name: string, setUp: () => Promise<Hooks>): Promise<CheckResult> {
  try {
    const { auditSink, close } = await setUp()
    try {
      await auditSink?.ping?.()
    } finally {
      await close?.()
    }
    return ok('config', name, 'audit entries can be written')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const fix = `check the settings ${name}.* and the receiver; see docs/audit-sinks.md`
    return fail('config', name, `audit entries cannot be written: ${code ?? message}`, fix)
  }
}
