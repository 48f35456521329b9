/** The tools of `mayfly mcp`. No result contains the text of a secret. */
import { open, rm } from 'node:fs/promises'
import { z } from 'zod'
import { CliError } from '../../lib/cli-error.js'
import type { Io } from '../../output/io.js'
import type { GlobalFlags } from '../command.js'
import { collectSubmission } from '../request/collect-submission.js'
import { createRequest } from '../request/create-request.js'
import { showRequest } from '../request/show-request.js'
import { changesPrograms, VARIABLE_NAME } from '../run/link-variables.js'
import { burnSecret } from '../secret/burn-secret.js'
import { createSecret } from '../secret/create-secret.js'
import { readSecret } from '../secret/read-secret.js'
import { capture, toAgentFlags } from './agent-io.js'
import { type AgentPolicy, checkCommand, checkNewFile, checkPath } from './agent-policy.js'
import { findBurnToken, newRequestHandle, readCollectLink, storeBurnToken } from './agent-state.js'
import { type AgentVariable, type CommandRun, readCommandOutput, runWithSecrets } from './run-redacted.js'

export interface AgentContext {
  policy: AgentPolicy
  flags: GlobalFlags
  io: Io
  /** Submissions that were collected into variables, by request: a command can be run again. */
  collected: Map<string, Uint8Array>
}

/** A tool with the schema of its input. `run` throws CliError, LinkError, ApiError and others of the commands. */
export interface AgentTool<Shape extends z.ZodRawShape = z.ZodRawShape> {
  name: string
  description: string
  input: Shape
  run(input: z.infer<z.ZodObject<Shape>>, context: AgentContext): Promise<object>
}

const tool = <Shape extends z.ZodRawShape>(definition: AgentTool<Shape>): AgentTool =>
  definition as unknown as AgentTool

const WORDS_MAX = 256
const WORD_MAX = 8192
const PATH_MAX = 4096
/** Bytes that `create_secret` reads. The server may accept less. */
const CONTENT_MAX = 64 * 2 ** 20
/** Bytes of JSON from a command. */
const DOCUMENT_MAX = 2 ** 20

const link = z.string().max(4096)
const path = z.string().min(1).max(PATH_MAX)
const duration = z.string().regex(/^\d{1,6}[smhdw]$/, 'must be a duration such as 2h')
const words = z.array(z.string().max(WORD_MAX)).min(1).max(WORDS_MAX)
const request = z.string().regex(/^[0-9a-f]{16}$/, 'must be the value that request_secret returned')
const secretId = z.string().regex(/^[\w-]{22}$/, 'must be the id that create_secret returned')
const runFields = {
  command: words.describe('program and arguments, without a shell'),
  folder: path.optional().describe('working folder; by default the first allowed one'),
  timeout_seconds: z.int().min(1).max(600).default(120),
}

const createTool = tool({
  name: 'create_secret',
  description:
    'Encrypts a file, or the output of a command, and returns a link that opens it once. You never see the content. Give the link to a person.',
  input: {
    file: path.optional().describe('absolute path; exclude command'),
    command: words.optional().describe('program and arguments, without a shell; its stdout becomes the secret'),
    folder: runFields.folder,
    timeout_seconds: runFields.timeout_seconds,
    ttl: duration.default('1d').describe('time until it expires, such as 2h'),
    views: z.int().min(1).max(9999).default(1),
    title: z.string().min(1).max(255).optional(),
    attach: z.boolean().default(false).describe('send the file as an attachment instead of a text'),
  },
  async run({ file, command, ttl, views, title, attach, ...place }, context) {
    if ((file === undefined) === (command === undefined)) throw new CliError('usage', 'pass either file or command')
    const real = file === undefined ? undefined : await checkPath(file, context.policy)
    if (attach && real === undefined) throw new CliError('usage', 'attach needs file')
    const content = command
      ? await readCommandOutput(await toRun(command, place, context), CONTENT_MAX, context.io)
      : attach
        ? undefined
        : await readBounded(real as string)
    const flags = {
      ttl,
      views: String(views),
      ...(title === undefined ? {} : { title }),
      ...(attach ? { file: [real as string], text: '' } : {}),
      ...(command ? { chomp: true } : {}),
    }
    const created = await runDocument(context, content, (io, own) => createSecret({ ...own, ...flags }, io))
    const { id, burn_token: burnToken, expires_at: expiresAt } = created as Record<string, string>
    await storeBurnToken(id as string, burnToken as string, Date.parse(expiresAt as string), context.io)
    return { id, link: created.link, expires_at: expiresAt, views: created.views }
  },
})

const requestTool = tool({
  name: 'request_secret',
  description:
    'Creates a link where a person leaves a secret for you. Show the link to the person, then use collect_secret or run_command with the returned value of request.',
  input: {
    title: z.string().min(1).max(255).describe('what you need, such as "password of the test database"'),
    instructions: z.string().max(4000).default(''),
    ttl: duration.default('1d'),
  },
  async run({ title, instructions, ttl }, context) {
    const { request, path } = await newRequestHandle(context.io)
    const flags = { title, instructions, ttl, submissions: '1', files: false, collectFile: path }
    const created = await runDocument(context, undefined, (io, own) => createRequest({ ...own, ...flags }, io))
    return { request, link: created.link, expires_at: created.expires_at }
  },
})

const collectTool = tool({
  name: 'collect_secret',
  description: 'Writes the secret that a person left to a new file, readable by the user only. You do not see it.',
  input: { request, file: path.describe('absolute path of a file that does not exist') },
  async run({ request, file }, context) {
    const target = await checkNewFile(file, context.policy)
    const kept = context.collected.get(request)
    if (kept) throw new CliError('conflict', 'this secret was collected into a variable already', 'use run_command')
    const collectLink = await readCollectLink(request, context.io)
    await capture(context.io, { stdin: Buffer.from(collectLink), cwd: '/', maxBytes: 0 }, ({ io }) => {
      const { json, ...own } = toAgentFlags(context.flags)
      return collectSubmission('-', { ...own, textOnly: true, output: target }, io)
    })
    return { file: target, mode: '0600' }
  },
})

const runTool = tool({
  name: 'run_command',
  description:
    'Runs an allowed command with secrets in environment variables. The output comes back without the secrets. Each link is used up.',
  input: {
    ...runFields,
    secrets: z
      .array(
        z.strictObject({
          variable: z.string().max(128).regex(VARIABLE_NAME, 'must be the name of a variable'),
          link: link.optional(),
          request: request.optional(),
        }),
      )
      .max(64)
      .describe('each variable with a link to its value, or with a request that was answered'),
  },
  async run({ command, secrets, ...place }, context) {
    const run = await toRun(command, place, context)
    for (const { variable } of secrets) {
      if (changesPrograms(variable)) {
        throw new CliError('denied', `${variable} changes how programs run, so no secret may set it`)
      }
    }
    const variables: AgentVariable[] = []
    for (const { variable: name, link, request } of secrets) {
      if ((link === undefined) === (request === undefined)) {
        throw new CliError('usage', `${name}: pass either link or request`)
      }
      variables.push(
        link === undefined ? { name, value: await collectOnce(request as string, context) } : { name, link },
      )
    }
    return runWithSecrets(run, variables, toAgentFlags(context.flags), context.io)
  },
})

const statusTool = tool({
  name: 'secret_status',
  description: 'Reports whether a secret can still be opened, or whether a request was answered. Opens nothing.',
  input: { link: link.optional(), request: request.optional() },
  async run({ link, request }, context) {
    if ((link === undefined) === (request === undefined)) throw new CliError('usage', 'pass either link or request')
    if (link !== undefined) {
      return runDocument(context, Buffer.from(link), (io, own) => readSecret('-', { ...own, peek: true }, io))
    }
    const collectLink = Buffer.from(await readCollectLink(request as string, context.io))
    return runDocument(context, collectLink, (io, own) => showRequest('-', own, io))
  },
})

const burnTool = tool({
  name: 'burn_secret',
  description: 'Deletes a secret, with its link or with the id that create_secret returned.',
  input: { id: secretId.optional(), link: link.optional() },
  async run({ id, link }, context) {
    if ((link === undefined) === (id === undefined)) throw new CliError('usage', 'pass either id or link')
    if (link !== undefined) {
      return runDocument(context, Buffer.from(link), (io, own) => burnSecret('-', own, io))
    }
    const burnTokenFile = await findBurnToken(id as string, context.io)
    const burned = await runDocument(context, undefined, (io, own) => burnSecret(id, { ...own, burnTokenFile }, io))
    await rm(burnTokenFile, { force: true })
    return burned
  },
})

export const AGENT_TOOLS: AgentTool[] = [createTool, requestTool, collectTool, runTool, statusTool, burnTool]

/** Checks command and folder. */
async function toRun(
  command: string[],
  { folder, timeout_seconds: timeoutS }: { folder?: string | undefined; timeout_seconds: number },
  { policy }: AgentContext,
): Promise<CommandRun> {
  checkCommand(command, policy)
  return { words: command, cwd: folder === undefined ? policy.folders[0] : await checkPath(folder, policy), timeoutS }
}

/** The text of a request's submission. It stays in memory, so that a failed command can be run again. */
async function collectOnce(request: string, { collected, flags, io: outer }: AgentContext): Promise<Uint8Array> {
  const known = collected.get(request)
  if (known) return known
  const stdin = Buffer.from(await readCollectLink(request, outer))
  const text = await capture(outer, { stdin, cwd: '/', maxBytes: CONTENT_MAX }, async ({ io, stdout }) => {
    const { json, ...own } = toAgentFlags(flags)
    await collectSubmission('-', { ...own, textOnly: true }, io)
    return stdout()
  })
  collected.set(request, text)
  return text
}

/** Runs a command that prints one JSON document. */
async function runDocument(
  { flags, io: outer }: AgentContext,
  stdin: Uint8Array | undefined,
  work: (io: Io, flags: GlobalFlags & { json: true }) => Promise<void>,
): Promise<Record<string, unknown>> {
  const options = { cwd: '/', maxBytes: DOCUMENT_MAX, ...(stdin && { stdin }) }
  return capture(outer, options, async ({ io, stdout }) => {
    await work(io, toAgentFlags(flags))
    return JSON.parse(stdout().toString())
  })
}

async function readBounded(path: string): Promise<Uint8Array> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    throw new CliError('usage', `cannot read the file: ${error.code}`)
  })
  try {
    const stat = await file.stat()
    if (!stat.isFile()) throw new CliError('usage', 'this is not a file')
    if (stat.size > CONTENT_MAX) throw new CliError('limit', 'the file is too large for a text', 'set attach')
    return await file.readFile()
  } finally {
    await file.close()
  }
}
