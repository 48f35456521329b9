import { command } from '../command.js'

export const completion = command({
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
