/** `mayfly db compact`: gives the space of deleted data back to the disk. */
import { createLog } from '#core/runtime'
import { loadConfigForFlags } from '../../instance/instance-config.js'
import type { InstanceFlags } from '../../instance/instance-options.js'
import { announceInstance, withStorage } from '../../instance/open-database.js'
import { requireCurrentSchema } from '../../instance/open-stores.js'
import { requireDatabase } from '../../instance/require-database.js'
import { CliError } from '../../lib/cli-error.js'
import { formatBytes } from '../../output/format-bytes.js'
import type { Io } from '../../output/io.js'
import type { GlobalFlags } from '../command.js'

/** Throws CliError `usage` for a storage without a file. */
export async function compactDatabase(flags: InstanceFlags & GlobalFlags, io: Io): Promise<void> {
  const config = await loadConfigForFlags(flags, io)
  requireDatabase(config)
  const log = createLog('warn', 'text', (line) => io.writeErr(line))
  await withStorage(config, log, async (storage) => {
    announceInstance(config, storage, io)
    const { compaction } = storage
    if (!compaction)
      throw new CliError('usage', 'only a SQLite database can be compacted', 'use the tools of your engine')
    await requireCurrentSchema(storage)
    const before = await compaction.measure()
    await compaction.run()
    const after = await compaction.measure()
    if (flags.json) return io.writeJson({ bytes_before: before, bytes_after: after })
    io.note(`compacted: ${formatBytes(before)} before, ${formatBytes(after)} after`)
  })
}
