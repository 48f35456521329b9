import { command } from '../command.js'
import type { DbCopyFlags } from './copy-database.js'

export const dbCopy = command<DbCopyFlags>({
  name: 'db copy',
  summary: 'copy everything to an empty database, of whatever engine, and compare both',
  options: [
    ['--from <url>', 'database to read: sqlite:FILE, postgres://..., mysql://...'],
    ['--to <url>', 'database to write; it must be empty, or left from a copy that broke off'],
    ['--files-from <store>', 'copy the files too: a folder, or a plugin with its settings, such as s3'],
    ['--files-to <store>', 'where they go'],
    ['--batch <rows>', 'rows at a time', '1000'],
    ['--verify', 'compare both at the end; that is always done'],
    ['--set <key=value...>', 'settings of the file stores, as for `serve`'],
  ],
  examples: [
    ['from the file to a server', 'mayfly db copy --from sqlite:data/mayfly.db --to "$PG_URL"'],
    [
      'with the files, from the folder to a bucket',
      'mayfly db copy --from sqlite:data/mayfly.db --to "$PG_URL" --files-from data/files --files-to s3',
    ],
  ],
  async run({ io, flags }) {
    const { copyDatabase } = await import('./copy-database.js')
    await copyDatabase(flags, io)
  },
})
