/**
 * Options of the webhooks. The first target has its own options, which environment variables can set; the others are a
 * list.
 */
import { flag, list, secret, wholeNumber, z } from '#core'
import { ipRange } from '#shared/api/common'
import { listFacts } from '#shared/event-catalog'
import { jsonList } from '#shared/option-schemas'
import { FORMAT_NAMES } from './formats.js'

const shape = {
  // The path of such a URL is often a credential.
  url: secret(
    z
      .string()
      .refine((text) => text === '' || isTargetUrl(text), 'must be an http(s) URL without credentials and fragment')
      .default('')
      .describe('URL that receives the events; empty: only the targets in `targets`'),
  ),
  format: z
    .enum(FORMAT_NAMES)
    .default('standard')
    .describe('`standard`: signed JSON; otherwise a message for the service of this name; `slack` also for Mattermost'),
  token: secret(
    z
      .string()
      .regex(/^[\x21-\x7e]{0,500}$/, 'must be printable ASCII without spaces')
      .default('')
      .describe('access token that ntfy, gotify and matrix send; empty: none'),
  ),
  secrets: secret(
    list(z.string().refine(isSecret, 'must be whsec_ and 24 to 64 bytes in Base64'))
      .default([])
      .describe('signing secrets, such as the output of: echo whsec_$(openssl rand -base64 32). During a rotation two'),
  ),
  events: list(z.enum(listFacts('operator')))
    .default([])
    .describe('event types to send, such as secret.viewed; empty: all'),
}

export const Target = z.strictObject({
  ...shape,
  name: z
    .string()
    .max(40)
    .regex(/^(?!default$)[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case words joined by "-", and not "default"'),
  url: z.string().refine(isTargetUrl, 'must be an http(s) URL without credentials and fragment'),
})

export const options = z.object({
  ...shape,
  allow: list(ipRange)
    .default([])
    .describe('private IP addresses or CIDR ranges that may receive events; by default only public addresses may'),
  targets: secret(
    jsonList(Target).default([]).describe('further targets: a JSON list of objects with name, url, secrets and events'),
  ),
  userTargets: flag()
    .default(false)
    .describe('users can add webhooks for their own secrets and requests on their account page'),
  userTargetsMax: wholeNumber(1, 50).default(5).describe('maximum number of webhooks of one user'),
  userTargetsAllow: list(ipRange)
    .default([])
    .describe('private IP addresses or CIDR ranges that webhooks of users may reach; by default only public addresses'),
})

function isTargetUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null
  return url !== null && /^https?:$/.test(url.protocol) && url.username + url.password + url.hash === ''
}

function isSecret(text: string): boolean {
  const [, encoded = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? []
  const { length } = Buffer.from(encoded, 'base64')
  return length >= 24 && length <= 64
}
