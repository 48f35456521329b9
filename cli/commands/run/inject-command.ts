/** `mayfly inject`: writes a template with the texts of secrets at the places of their links. */
import { readNamedInput } from '../../files/named-file.js'
import { isStdout } from '../../files/output-file.js'
import { openSecretOutput, type SecretOutputFlags } from '../../files/secret-output.js'
import { CliError } from '../../lib/cli-error.js'
import { formatTime } from '../../output/format-expiry.js'
import type { Io } from '../../output/io.js'
import { formatCount, toSafeJson } from '../../output/sanitize.js'
import {
  acknowledgeSecrets,
  explainDelivery,
  findSecrets,
  openSecrets,
  type ReceivedSecret,
} from '../../secrets/open-links.js'
import { type PasswordFlags, readPassword } from '../../secrets/secret-password.js'
import { stripLineEnd } from '../../secrets/strip-line-end.js'
import type { GlobalFlags } from '../command.js'
import { fillTemplate, type Place, parseTemplate } from './template.js'

export interface InjectFlags extends PasswordFlags, SecretOutputFlags {
  template?: string
}

const TEMPLATE_MAX = 1024 * 1024
const TEMPLATE = { flag: '--template', what: 'the template', maxBytes: TEMPLATE_MAX, hint: 'nothing was opened' }

/** Throws LinkError, CliError or ApiError. */
export async function injectSecrets(flags: InjectFlags & GlobalFlags, io: Io): Promise<void> {
  if (flags.json && isStdout(flags.output)) {
    throw new CliError('usage', '--json and the result cannot both go to stdout', 'write the result with --output FILE')
  }
  const template = await readTemplate(flags.template, io)
  const places = await parseTemplate(template)
  const output = await openSecretOutput(flags, io)
  const password = await readPassword(flags, io)
  const found = await findSecrets(places, password, flags, io)
  const texts = new Map<Place, Uint8Array>()
  const received = await openSecrets(
    found,
    password,
    ({ uses, opened }) => {
      // As in a variable: without the line end that `echo` and editors add.
      for (const place of uses) texts.set(place, stripLineEnd(Buffer.from(opened.text)))
    },
    io,
  )
  try {
    const values = places.map((place) => texts.get(place) ?? Buffer.alloc(0))
    await output.write(fillTemplate(template, places, values))
    await output.close()
  } catch (error) {
    throw explainDelivery(error, received)
  }
  await acknowledgeSecrets(received, io)
  if (flags.json) return io.write(formatJson(flags.output ?? '', places, received))
  io.note(`filled ${formatCount(places.length, 'place')} with ${formatCount(received.length, 'secret')}`)
}

async function readTemplate(path: string | undefined, io: Io): Promise<Buffer> {
  const template = await readNamedInput(path ?? '-', TEMPLATE, io)
  if (template !== null) return template
  throw new CliError('limit', `the template is larger than ${TEMPLATE_MAX / 1024} KiB`, 'nothing was opened')
}

/** Contains neither values nor ids, because the id of a raw secret contains its key. */
const formatJson = (output: string, places: Place[], received: ReceivedSecret<Place>[]): string =>
  toSafeJson({
    output,
    places: places.length,
    secrets: received.map(({ uses, opened }) => ({
      lines: uses.map(({ line }) => line),
      views_left: opened.viewsLeft,
      expires_at: formatTime(opened.expiresAt),
      mismatches: opened.mismatches,
    })),
  })
