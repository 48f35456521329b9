import { CliError } from '../../lib/cli-error.js'
import { command } from '../command.js'

export const help = command<{ markdown?: true }>({
  name: 'help',
  summary: 'print help on a command or a topic: examples, environment, exit-codes, formats',
  argument: ['[topic...]', 'command or topic', ['examples', 'environment', 'exit-codes', 'formats']],
  options: [['--markdown', 'print the reference of all commands as Markdown']],
  examples: [
    ['list the exit codes', 'mayfly help exit-codes'],
    ['help on one command', 'mayfly help secret read'],
  ],
  async run({ io, flags, args, catalog }) {
    if (flags.markdown) {
      const { createCommandReference } = await import('../../reference/markdown.js')
      return io.write(createCommandReference(catalog))
    }
    const { TOPICS } = await import('../../reference/help-topics.js')
    const topic = args.join(' ')
    if (Object.hasOwn(TOPICS, topic)) return io.write(TOPICS[topic] as string)
    const isCommand = catalog.commands.some(({ name }) => name === topic || name.startsWith(`${topic} `))
    if (!isCommand && topic !== '') {
      throw new CliError('usage', 'unknown help topic', `topics: ${Object.keys(TOPICS).join(', ')}`)
    }
    await catalog.showHelp(args, io)
  },
})
