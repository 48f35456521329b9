/** `mayfly mcp`: the server of the Model Context Protocol. */
import { CliError } from '../../lib/cli-error.js'
import { version } from '../../lib/version.js'
import { describeError } from '../../output/error-output.js'
import type { Io } from '../../output/io.js'
import type { GlobalFlags } from '../command.js'
import { readPolicy } from './agent-policy.js'
import { AGENT_TOOLS, type AgentContext } from './agent-tools.js'

const INSTRUCTIONS =
  'Use these tools whenever a password, key or token is needed, and never ask for one in the conversation. Results contain links and states, never secrets.'

/** Serves until the client closes stdin. Throws CliError `usage` without allowed folders and commands. */
export async function serveAgent(flags: GlobalFlags, io: Io): Promise<void> {
  const policy = await readPolicy(flags, io)
  const { McpServer, StdioServerTransport } = await loadSdk()
  const context: AgentContext = { policy, flags, io, collected: new Map() }
  const server = new McpServer({ name: 'mayfly', version }, { instructions: INSTRUCTIONS })
  for (const { name, description, input, run } of AGENT_TOOLS) {
    server.registerTool(name, { description, inputSchema: input }, async (given: Record<string, unknown>) => {
      try {
        return { content: [toContent(JSON.stringify(await run(given, context)))] }
      } catch (error) {
        const { message, hint } = describeError(error)
        return { content: [toContent(hint ? `${message}; ${hint}` : message)], isError: true }
      }
    })
  }
  const closed = new Promise<void>((resolve) => {
    server.server.onclose = resolve
    io.stdin.once('end', resolve)
  })
  await server.connect(new StdioServerTransport(io.stdin, io.stdout))
  await closed
  await server.close()
}

const toContent = (text: string) => ({ type: 'text' as const, text })

async function loadSdk() {
  try {
    const [{ McpServer }, { StdioServerTransport }] = await Promise.all([
      import('@modelcontextprotocol/sdk/server/mcp.js'),
      import('@modelcontextprotocol/sdk/server/stdio.js'),
    ])
    return { McpServer, StdioServerTransport }
  } catch (cause) {
    const hint = 'npm install @modelcontextprotocol/sdk'
    throw new CliError('usage', 'the package @modelcontextprotocol/sdk is not installed', hint, { cause })
  }
}
