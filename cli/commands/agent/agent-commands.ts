import { type Command, command } from '../command.js'

const mcp = command({
  name: 'mcp',
  summary: 'run a Model Context Protocol server on stdio, for coding agents that use secrets without seeing them',
  examples: [
    ['allow folders and commands first', 'mayfly config set agent_folders=/home/me/project agent_commands=npm,psql'],
    ['the command in the configuration of the agent', 'mayfly mcp'],
  ],
  run: async ({ io, flags }) => (await import('./serve-agent.js')).serveAgent(flags, io),
})

export const agentCommands: Command[] = [mcp]
