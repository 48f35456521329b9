import { CliError } from '../../lib/cli-error.js'
import { command } from '../command.js'

export const help = command<{ markdown?: true }>({
  name: 'help',
  summary: 'help on a command or a topic: examples, environment, exit-codes, formats',
  argument: [
    '[topic...]',
    'a command, or examples, environment, exit-codes, formats',
    ['examples', 'environment', 'exit-codes', 'formats'],
  ],
  options: [['--markdown', 'print the reference of all commands instead']],
  examples: [
    ['what the exit codes mean', 'mayfly help exit-codes'],
    ['everything about one command', 'mayfly help secret read'],
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
      throw new CliError('usage', 'there is no help on that', `topics: ${Object.keys(TOPICS).join(', ')}`)
    }
    await catalog.showHelp(args, io)
  },
})
