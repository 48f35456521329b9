import { command } from '../command.js'
import type { ServeFlags } from './serve-instance.js'

export const serve = command<ServeFlags>({
  name: 'serve',
  summary: 'run the server',
  options: [
    ['--host <address>', 'address to listen on'],
    ['--port <number>', 'port to listen on; 0 selects a free port'],
    ['--public-url <url>', 'URL under which users reach this instance'],
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
    ['all settings from one file', 'mayfly serve --config /etc/mayfly.config.json'],
  ],
  async run({ io, flags }) {
    const { serveInstance } = await import('./serve-instance.js')
    await serveInstance(flags, io)
  },
})
