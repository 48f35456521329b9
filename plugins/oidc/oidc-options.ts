/**
 * Options of the providers. The first provider has its own options, which environment variables can set; the others are
 * a list.
 */
import { flag, list, OperatorError, secret, z } from '#core'
import { jsonList } from '#shared/option-schemas'

const domains = list().transform((names) => names.map((name) => name.toLowerCase().replace(/^@/, '')))

const claim = (name: string) => z.string().min(1).default(name)

const shape = {
  id: z
    .string()
    .regex(/^(?!local$)[a-z][a-z0-9]*(-[a-z0-9]+)*$/, 'must be lower-case words joined by "-", and not "local"')
    .max(64)
    .default('oidc')
    .describe('permanent id of the provider; never reuse it for another provider'),
  label: z.string().min(1).max(64).default('Single sign-on').describe('label of the button on the sign-in page'),
  issuer: z
    .string()
    .refine((text) => text === '' || isIssuer(text), 'must be https://host, or http on a loopback address')
    .default('')
    .describe('issuer URL of the provider, exactly as in its discovery document'),
  clientId: z.string().default('').describe('client id of this instance at the provider'),
  clientSecret: secret(z.string().default('').describe('client secret; empty: public client')),
  scopes: z.string().default('openid email profile').describe('scopes to request, separated by spaces'),
  prompt: z.enum(['', 'login', 'select_account', 'consent']).default('').describe('value of the prompt parameter'),
  allowedEmailDomains: domains.default([]).describe('accepted e-mail domains; empty: all'),
  clientAuth: z
    .enum(['auto', 'client_secret_basic', 'client_secret_post'])
    .default('auto')
    .describe('how to send the client secret; auto: a method in the discovery document of the provider'),
  emailClaim: claim('email').describe('claim with the e-mail address; any claim except email needs trustEmail'),
  usernameClaim: z
    .string()
    .default('')
    .describe('claim with the username; empty: preferred_username, nickname or name'),
  trustEmail: flag()
    .default(false)
    .describe(
      'accept e-mail addresses that the provider does not call verified, for providers that issue the addresses themselves',
    ),
  groupsClaim: claim('groups').describe('claim with the groups or roles of a user; dots address nested claims'),
  adminGroups: list()
    .default([])
    .describe('groups whose members are administrators; empty: roles are assigned in Mayfly'),
  allowGroups: list()
    .default([])
    .describe('groups whose members may sign in, besides administrators; empty: every user of the provider'),
  creatorGroups: list()
    .default([])
    .describe(
      'groups whose members may create secrets and requests, besides administrators; empty: every user of the provider',
    ),
  secondFactorAcr: list()
    .default([])
    .describe(
      'values of the claim acr that mean a second factor, besides the methods in amr; counts with the instance setting second_factor_by_provider',
    ),
  signUp: flag().default(true).describe('create accounts for new users'),
  linkByEmail: flag()
    .default(false)
    .describe(
      'link a sign-in to the existing account with the same e-mail address; the password and tokens of that account are removed',
    ),
}

const Provider = z.strictObject(shape).superRefine(checkRequired)
export type ProviderOptions = z.output<typeof Provider>

export const options = z.object({
  ...shape,
  providers: secret(
    jsonList(Provider).default([]).describe('more providers: a JSON array of objects with these options'),
  ),
})

/** The configured providers, in order. Throws without a provider. */
export function listProviders({ providers, ...first }: z.output<typeof options>): ProviderOptions[] {
  const hasFirst = first.issuer !== '' || first.clientId !== ''
  const all = [...(hasFirst ? [Provider.parse(first)] : []), ...providers]
  if (all.length === 0) {
    throw new OperatorError('issuer and clientId are not set, and there are no providers', { isSetting: true })
  }
  return all
}

function checkRequired(
  { issuer, clientId, emailClaim, trustEmail, scopes }: Record<string, unknown>,
  ctx: z.RefinementCtx,
) {
  const addIssue = (field: string, message: string) => ctx.addIssue({ code: 'custom', path: [field], message })
  if (issuer === '') addIssue('issuer', 'is missing')
  if (clientId === '') addIssue('clientId', 'is missing')
  if (emailClaim !== 'email' && trustEmail !== true)
    addIssue('emailClaim', 'needs trustEmail, because email_verified describes the claim email only')
  if (!String(scopes).split(' ').includes('openid')) addIssue('scopes', 'must contain openid')
}

/** Plain http is accepted only for loopback addresses: anyone who can intercept it can sign in as any user. */
export const isLoopback = (url: URL): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)

function isIssuer(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || url.username + url.password + url.search + url.hash !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url))
}
