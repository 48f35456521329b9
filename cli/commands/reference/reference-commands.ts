import { CliError } from '../../lib/cli-error.js'
import { version } from '../../lib/version.js'
import type { ManFlags } from '../../reference/write-man-pages.js'
import { type Command, command } from '../command.js'

const help = command<{ markdown?: true }>({
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

const completion = command({
  name: 'completion',
  summary: 'print a shell completion script',
  argument: ['[shell]', 'bash, zsh, fish or powershell', ['bash', 'zsh', 'fish', 'powershell']],
  examples: [
    [
      'bash, with the package bash-completion: read at the first Tab',
      'mayfly completion bash > ~/.local/share/bash-completion/completions/mayfly',
    ],
    ['bash without it: add this line to ~/.bashrc', 'source <(mayfly completion bash)'],
    ['zsh: add this line to ~/.zshrc, after compinit', 'source <(mayfly completion zsh)'],
    ['fish', 'mayfly completion fish > ~/.config/fish/completions/mayfly.fish'],
    ['PowerShell: add this line to $PROFILE', 'mayfly completion powershell | Out-String | Invoke-Expression'],
  ],
  async run({ io, args, catalog }) {
    const { createCompletionScript } = await import('../../reference/completion-script.js')
    await io.write(createCompletionScript(args[0], catalog))
  },
})

const man = command<ManFlags>({
  name: 'man',
  summary: 'print a man page, or write all of them to a folder',
  argument: ['[command...]', 'command (default: the program itself)'],
  options: [['--dir <folder>', 'write all man pages to this folder and print their paths']],
  examples: [
    ['read a page', 'mayfly man secret create | man -l -'],
    ['install all pages, for `man mayfly-secret-create`', 'mayfly man --dir ~/.local/share/man/man1'],
  ],
  run: async ({ io, flags, args, catalog }) =>
    (await import('../../reference/write-man-pages.js')).writeManPages(args, flags, io, catalog),
})

const versionCommand = command({
  name: 'version',
  summary: 'print the version',
  examples: [['as JSON', 'mayfly version --json']],
  async run({ io, flags }) {
    await io.writeResult(flags, { schema_version: 1, version, node: process.version }, `${version}\n`)
  },
})

export const referenceCommands: Command[] = [help, completion, man, versionCommand]
