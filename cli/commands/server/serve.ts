import { command } from '../command.js'
import type { ServeFlags } from './serve-instance.js'

export const serve = command<ServeFlags>({
  name: 'serve',
  summary: 'run the instance',
  options: [
    ['--host <address>', 'address to listen on'],
    ['--port <number>', 'port to listen on; 0: any that is free'],
    ['--public-url <url>', 'where people reach this instance'],
    ['--log-format <format>', 'auto, text or json'],
    ['--workers <number>', 'processes that share the port; more than one pays with PostgreSQL or MySQL and more cores'],
    ['--database-url <url>', 'where to keep the secrets, such as postgres://db.internal/mayfly; better as a variable'],
    ['--no-migrate', 'refuse to start, instead of bringing the schema of the database up to date'],
    ['--set <key=value...>', 'any setting, such as sqlite.file=/srv/mayfly.db'],
  ],
  examples: [
    ['try it out: SQLite in ./data', 'mayfly serve'],
    ['behind a reverse proxy', 'mayfly serve --host 127.0.0.1 --public-url https://secrets.example.org'],
    ['all settings from one file', 'mayfly serve --config /etc/mayfly.config.json'],
  ],
  async run({ io, flags }) {
    const { serveInstance } = await import('./serve-instance.js')
    await serveInstance(flags, io)
  },
})
