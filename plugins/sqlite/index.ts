import { chmod, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import knex from 'knex'
import { definePlugin, z } from '#core'
import { knexStorage } from '#plugins/knex'

export default definePlugin({
  name: 'sqlite',
  options: z.object({
    file: z.string().min(1).default('mayfly.db').describe('database file; a relative path is inside dataDir'),
  }),
  async setup({ file }, { dataDir }) {
    const filename = resolve(dataDir, file)
    await writeFile(filename, '', { flag: 'a', mode: 0o600 })
    await chmod(filename, 0o600)
    const db = knex({
      client: 'sqlite3',
      connection: { filename },
      useNullAsDefault: true,
      // Otherwise knex writes the values, ciphertexts among them, into the messages of its errors.
      compileSqlOnError: false,
      pool: { min: 1, max: 1, afterCreate: (connection: Connection, done: Done) => connection.exec(PRAGMAS, done) },
    })
    const close = () => db.destroy()
    return {
      storage: {
        ...knexStorage(db),
        scrub: async () => (await db.raw('PRAGMA wal_checkpoint(TRUNCATE)'))[0].busy === 0,
      },
      close,
    }
  },
})

type Done = (error: Error | null) => void
interface Connection {
  exec(sql: string, done: Done): void
}

const PRAGMAS = `
  PRAGMA busy_timeout = 5000;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA secure_delete = ON;
`
