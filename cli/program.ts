/** The command tree. Commands are loaded when they run, so that `--help` stays quick. */
import { Command, Option } from 'commander'
import { version } from './version.js'

export function buildProgram(): Command {
  const program = new Command('mayfly')
    .description('Share secrets that live once.')
    .version(version, '-V, --version')
    .addOption(new Option('--config <file>', 'config file of the server'))
    .exitOverride()

  program
    .command('serve')
    .description('run the instance')
    .option('--host <address>', 'address to listen on')
    .option('--port <number>', 'port to listen on')
    .option('--public-url <url>', 'where people reach this instance')
    .option('--set <key=value>', 'any setting, such as sqlite.file=/srv/mayfly.db', collect, {})
    .action(async ({ set, ...flags }: Record<string, string> & { set: Record<string, string> }) => {
      const { serve } = await import('./commands/serve.js')
      await serve(program.opts().config, { ...flags, ...set })
    })
  return program
}

function collect(pair: string, before: Record<string, string>): Record<string, string> {
  const at = pair.indexOf('=')
  return { ...before, [at < 0 ? pair : pair.slice(0, at)]: at < 0 ? '' : pair.slice(at + 1) }
}
