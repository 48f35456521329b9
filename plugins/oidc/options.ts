/** Which providers there are: one in options of its own, which variables can set, and more as a list. */
import { secret, z } from '#core'

const flag = z.union([z.boolean(), z.stringbool({ truthy: ['true'], falsy: ['false'] })])
const list = z.preprocess(
  (value) => (typeof value === 'string' ? value.split(',').flatMap((item) => item.trim() || []) : value),
  z.array(z.string()),
)
const domains = list.transform((names) => names.map((name) => name.toLowerCase().replace(/^@/, '')))

const shape = {
  id: z
    .string()
    .regex(/^(?!local$)[a-z][a-z0-9]*(-[a-z0-9]+)*$/, 'Invalid: lower-case words joined by "-", and not "local"')
    .max(64)
    .default('oidc')
    .describe('names the provider for ever: another one needs another id'),
  label: z.string().min(1).max(64).default('Single sign-on').describe('what the button on the sign-in screen says'),
  issuer: z
    .string()
    .refine((text) => text === '' || isIssuer(text), 'Invalid: expected https://host, or http on the loopback')
    .default('')
    .describe('address of the provider, as its discovery document says it'),
  clientId: z.string().default('').describe('name of this instance there'),
  clientSecret: secret(z.string().default('').describe('its secret; empty: a public client')),
  scopes: z.string().default('openid email profile').describe('what is asked for, with spaces'),
  prompt: z.enum(['', 'login', 'select_account', 'consent']).default('').describe('what the provider has to ask for'),
  allowedEmailDomains: domains.default([]).describe('only people with an address of these; empty: of any'),
  trustEmail: flag
    .default(false)
    .describe('take addresses without the claim email_verified, from a provider that gives them out itself'),
  roleClaim: z.string().default('').describe('claim that says who is an administrator; dots lead into objects'),
  adminValues: list.default([]).describe('values of it that make one'),
  signUp: flag.default(true).describe('people without an account get one'),
  linkByEmail: flag
    .default(false)
    .describe('who comes with the address of an account gets that account; its password and tokens end'),
}

const Provider = z.strictObject(shape).superRefine(complete)
export type ProviderOptions = z.output<typeof Provider>

export const options = z.object({
  ...shape,
  providers: secret(
    z
      .preprocess((value) => (typeof value === 'string' ? parsed(value) : value), z.array(z.unknown()))
      .transform((all, ctx) =>
        all.flatMap((each, index) => {
          const { data, error } = Provider.safeParse(each)
          for (const { path, message } of error?.issues ?? []) {
            ctx.addIssue({ code: 'custom', message: `${[index, ...path].join('.')}: ${message}` })
          }
          return data ?? []
        }),
      )
      .default([])
      .describe('further providers: a JSON array of objects with these options'),
  ),
})

/** All of them, in order. Throws when there is none. */
export function providersOf({ providers, ...first }: z.output<typeof options>): ProviderOptions[] {
  const one = first.issuer === '' && first.clientId === '' ? [] : [Provider.parse(first)]
  const all = [...one, ...providers]
  if (all.length === 0) throw new Error('issuer and clientId are not set, and there are no providers')
  return all
}

function complete({ issuer, clientId, roleClaim, adminValues, scopes }: Record<string, unknown>, ctx: z.RefinementCtx) {
  const refuse = (field: string, message: string) => ctx.addIssue({ code: 'custom', path: [field], message })
  if (issuer === '') refuse('issuer', 'is missing')
  if (clientId === '') refuse('clientId', 'is missing')
  if ((roleClaim === '') !== ((adminValues as string[]).length === 0)) refuse('roleClaim', 'belongs with adminValues')
  if (!String(scopes).split(' ').includes('openid')) refuse('scopes', 'must hold openid')
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Whoever can listen to plain http can sign in as anybody; nobody listens on the loopback. */
export const isLoopback = (url: URL): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)

function isIssuer(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || url.username + url.password + url.search + url.hash !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url))
}
