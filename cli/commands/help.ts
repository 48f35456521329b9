import { command } from '../command.js'
import { CliError } from '../errors.js'

export const help = command({
  name: 'help',
  summary: 'help on a command or a topic: examples, environment, exit-codes',
  argument: ['[topic...]', 'a command, or examples, environment, exit-codes'],
  examples: [
    ['what the exit codes mean', 'mayfly help exit-codes'],
    ['everything about one command', 'mayfly help secret read'],
  ],
  async run({ io, words }) {
    const { TOPICS } = await import('../help-topics.js')
    const { buildProgram, COMMANDS } = await import('../program.js')
    const topic = words.join(' ')
    if (Object.hasOwn(TOPICS, topic)) return io.write(TOPICS[topic] as string)
    const isCommand = COMMANDS.some(({ name }) => name === topic || name.startsWith(`${topic} `))
    if (!isCommand && topic !== '') {
      throw new CliError('usage', 'there is no help on that', `topics: ${Object.keys(TOPICS).join(', ')}`)
    }
    await buildProgram().parseAsync([...words, '--help'], { from: 'user' })
  },
})
