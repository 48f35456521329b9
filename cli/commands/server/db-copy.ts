import { command } from '../command.js'
import type { DbCopyFlags } from './copy-database.js'

export const dbCopy = command<DbCopyFlags>({
  name: 'db copy',
  summary: 'copy an instance to an empty database of any engine and compare both',
  options: [
    ['--from <url>', 'database to read: sqlite:FILE, postgres://..., mysql://...'],
    ['--to <url>', 'database to write; must be empty, or left from an interrupted copy'],
    ['--files-from <store>', 'also copy the files: a folder, or a plugin such as s3 with its settings'],
    ['--files-to <store>', 'file store to write: a folder or a plugin'],
    ['--batch <rows>', 'rows per batch', '1000'],
    ['--live', 'copy although a server runs on the source; changes meanwhile may be missing, or end the copy with 9'],
    ['--verify', 'compare both at the end (always on)'],
    ['--set <key=value...>', 'config settings of the file stores, as for `serve`'],
  ],
  examples: [
    ['from SQLite to PostgreSQL', 'mayfly db copy --from sqlite:data/mayfly.db --to "$PG_URL"'],
    [
      'with the files, from a folder to a bucket',
      'mayfly db copy --from sqlite:data/mayfly.db --to "$PG_URL" --files-from data/files --files-to s3',
    ],
  ],
  async run({ io, flags }) {
    const { copyDatabase } = await import('./copy-database.js')
    await copyDatabase(flags, io)
  },
})
