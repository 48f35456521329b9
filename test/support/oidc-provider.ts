/** A provider of OpenID Connect on the loopback, at which everybody signs in as one person without being asked. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

/** What goes wrong between it and us; empty it again. */
export interface Forgery {
  /** Claims of the ID token that are replaced; it is signed all the same. */
  token?: Record<string, unknown>
  /** The ID token is signed with another key. */
  signature?: boolean
  /** Parameters of the way back that are replaced. */
  back?: Record<string, string>
  /** The code is too old when it is redeemed. */
  lateCode?: boolean
}

export interface RunningProvider {
  issuer: string
  clientId: string
  clientSecret: string
  /** Claims of the user. Can be changed between steps. */
  claims: Record<string, unknown>
  /** Faults of the provider or of an attacker in between. Can be changed between steps. */
  forgery: Forgery
  /** Follows the redirects like a browser and returns the callback URL. */
  follow(url: URL): Promise<URL>
  close(): Promise<void>
}

const CODE_S = 60
const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const key = newKey()

/** `port`: 0 for a free one. A provider restarted on the same port has the same issuer but no state. */
export async function startProvider(redirectUris: string[], port = 0): Promise<RunningProvider> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = { clientId: 'mayfly', clientSecret: 'a secret of a test' }
  const claims: Record<string, unknown> = { email: 'zoe@example.org', email_verified: true, preferred_username: 'zoe' }
  const forgery: Forgery = {}
  const provider = new Provider(issuer, {
    jwks: { keys: [{ ...key.export({ format: 'jwk' }), use: 'sig', kid: 'test' }] },
    ttl: { AuthorizationCode: CODE_S },
    clients: [{ client_id: client.clientId, client_secret: client.clientSecret, redirect_uris: redirectUris }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['preferred_username', 'groups'] },
    findAccount: (_, id) => ({ accountId: id, claims: async () => ({ sub: id, ...claims }) }),
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    async loadExistingGrant(ctx) {
      const grant = new ctx.oidc.provider.Grant({
        clientId: ctx.oidc.client?.clientId as string,
        accountId: ctx.oidc.session?.accountId as string,
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  provider.use(async (ctx, next) => {
    if (!ctx.path.startsWith('/interaction/')) return next()
    await provider.interactionFinished(ctx.req, ctx.res, { login: { accountId: String(claims.sub ?? 'person-1') } })
    ctx.respond = false
  })
  provider.use(async (ctx, next) => {
    if (ctx.path !== '/token' || !forgery.lateCode) return next()
    const { now } = Date
    Date.now = () => now() + CODE_S * 1000
    await next().finally(() => Object.assign(Date, { now }))
  })
  provider.use(async (ctx, next) => {
    await next()
    const { id_token: token } = (ctx.body ?? {}) as { id_token?: string }
    if (token) ctx.body = { ...(ctx.body as object), id_token: forged(token, forgery) }
    const location: string = ctx.response.get('Location') ?? ''
    if (redirectUris.some((uri) => location.startsWith(uri))) ctx.redirect(diverted(location, forgery))
  })
  server.on('request', provider.callback())
  return {
    issuer,
    ...client,
    claims,
    forgery,
    async follow(url) {
      const jar = new Map<string, string>()
      let at = url
      while (at.origin === issuer) {
        const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
        const response = await fetch(at, { redirect: 'manual', headers: { cookie } })
        for (const set of response.headers.getSetCookie()) {
          const [name = '', value = ''] = set.split(';')[0]?.split(/=(.*)/s) ?? []
          jar.set(name, value)
        }
        const location = response.headers.get('location')
        if (location === null) throw new Error(`stuck at ${at.pathname}: ${response.status}`)
        at = new URL(location, at)
      }
      return at
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

function forged(token: string, { token: claims, signature = false }: Forgery): string {
  if (!claims && !signature) return token
  const [header = '', payload = ''] = token.split('.')
  const told = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), ...claims }
  const text = `${header}.${Buffer.from(JSON.stringify(told)).toString('base64url')}`
  return `${text}.${signed(text, signature ? newKey() : key)}`
}

const signed = (text: string, by: KeyObject): string => sign('sha256', Buffer.from(text), by).toString('base64url')

function diverted(location: string, { back = {} }: Forgery): string {
  const url = new URL(location)
  for (const [name, value] of Object.entries(back)) url.searchParams.set(name, value)
  return url.href
}
