import { limitSemiSpace } from '../../files/v8-flags.js'
import { INSTANCE_OPTIONS, type InstanceFlags } from '../../instance/instance-options.js'
import { type Command, command } from '../command.js'
import type { DbCopyFlags } from './copy-database.js'
import type { MigrateFlags } from './migrate-storage.js'
import type { ServeFlags } from './serve-instance.js'

const serve = command<ServeFlags>({
  name: 'serve',
  summary: 'run the server',
  options: [
    ['--host <address>', 'address to listen on'],
    ['--port <number>', 'port to listen on; 0 selects a free port'],
    ['--public-url <url>', 'URL under which users reach this instance'],
    ['--role <role>', 'what this process offers: all, or open for a public host that only opens secrets'],
    ['--log-format <format>', 'log format: auto, text or json'],
    ['--workers <number>', 'number of processes that share the port; more than one needs PostgreSQL or MySQL'],
    [
      '--database-url <url>',
      'database, such as postgres://db.internal/mayfly; prefer the variable MAYFLY_DATABASE_URL',
    ],
    ['--no-migrate', 'fail instead of updating an old database schema'],
    ['--set <key=value...>', 'any config setting, such as sqlite.file=/srv/mayfly.db'],
  ],
  examples: [
    ['try it out, with SQLite in ./data', 'mayfly serve'],
    ['behind a reverse proxy', 'mayfly serve --host 127.0.0.1 --public-url https://secrets.example.org'],
    ['a public host that only opens what others create', 'mayfly serve --role open'],
    ['all settings from one file', 'mayfly serve --config /etc/mayfly.config.json'],
  ],
  async run({ io, flags }) {
    const allowGrowth = await limitSemiSpace(io)
    return (await import('./serve-instance.js')).serveInstance(flags, io, allowGrowth)
  },
})

const migrate = command<MigrateFlags>({
  name: 'migrate',
  summary: 'update or show the database schema',
  argument: ['[action]', 'up (default) or status', ['up', 'status']],
  options: [
    ['--lock-timeout <duration>', 'how long to wait for another process that migrates', '30s'],
    ...INSTANCE_OPTIONS,
  ],
  examples: [['list applied and pending migrations', 'mayfly migrate status']],
  run: async ({ io, flags, args }) => (await import('./migrate-storage.js')).migrateStorage(args[0] ?? 'up', flags, io),
})

const dbCopy = command<DbCopyFlags>({
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
  run: async ({ io, flags }) => (await import('./copy-database.js')).copyDatabase(flags, io),
})

const dbCompact = command<InstanceFlags>({
  name: 'db compact',
  summary: 'give the space of deleted data in the SQLite file back to the disk',
  options: [...INSTANCE_OPTIONS],
  examples: [['while the server runs', 'mayfly db compact']],
  run: async ({ io, flags }) => (await import('./compact-database.js')).compactDatabase(flags, io),
})

export const serverCommands: Command[] = [serve, migrate, dbCopy, dbCompact]
