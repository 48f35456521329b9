import { command } from '../command.js'

export const completion = command({
  name: 'completion',
  summary: 'print the script that makes a shell finish commands and flags',
  argument: ['[shell]', 'bash, zsh, fish or powershell', ['bash', 'zsh', 'fish', 'powershell']],
  examples: [
    ['bash: a line of ~/.bashrc', 'source <(mayfly completion bash)'],
    ['zsh: a line of ~/.zshrc, after compinit', 'source <(mayfly completion zsh)'],
    ['fish', 'mayfly completion fish > ~/.config/fish/completions/mayfly.fish'],
    ['PowerShell: a line of $PROFILE', 'mayfly completion powershell | Out-String | Invoke-Expression'],
  ],
  async run({ io, args, catalog }) {
    const { createCompletionScript } = await import('../../reference/completion-script.js')
    await io.write(createCompletionScript(args[0], catalog))
  },
})
