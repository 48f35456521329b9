/** A provider of OpenID Connect on the loopback. Every sign-in succeeds as the same user, without a question. */
import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

/** Faults between the provider and the server. Empty it after use. */
export interface Forgery {
  /** Claims of the ID token that are replaced; it is signed all the same. */
  token?: Record<string, unknown>
  /** The ID token is signed with another key. */
  signature?: boolean
  /** Parameters of the redirect back that are replaced. */
  back?: Record<string, string>
  /** The code is too old when it is redeemed. */
  lateCode?: boolean
  /** Claims of the userinfo response that are replaced; null: the endpoint refuses. */
  userInfo?: Record<string, unknown> | null
  /** Difference of the provider's clock, in seconds. */
  skew?: number
  /** The provider signs with a new key from now on, and publishes it. */
  rotated?: boolean
}

/** How the provider differs from the usual. */
export interface Peculiarities {
  /** 0 for a free one. A provider restarted on the same port has the same issuer but no state. */
  port?: number
  /** Path of the issuer, such as `/application/o/mayfly/`. */
  path?: string
  clientAuth?: 'client_secret_basic' | 'client_secret_post'
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
const nextKey = newKey()
const GROUP_CLAIMS = ['groups', 'realm_access', 'cognito:groups', 'urn:zitadel:iam:org:project:roles']

export async function startProvider(
  redirectUris: string[],
  { port = 0, path = '', clientAuth = 'client_secret_basic' }: Peculiarities = {},
): Promise<RunningProvider> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const issuer = `${origin}${path}`
  const client = { clientId: 'mayfly', clientSecret: 'a secret of a test' }
  const claims: Record<string, unknown> = { email: 'zoe@example.org', email_verified: true, preferred_username: 'zoe' }
  const forgery: Forgery = {}
  const provider = new Provider(issuer, {
    jwks: { keys: [toJwk(key, 'test')] },
    ttl: { AuthorizationCode: CODE_S },
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: redirectUris,
        token_endpoint_auth_method: clientAuth,
      },
    ],
    clientAuthMethods: [clientAuth],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['preferred_username', 'upn', ...GROUP_CLAIMS],
    },
    findAccount: (_, id) => ({ accountId: id, claims: async () => ({ sub: id, ...claims }) }),
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    interactions: { url: (_, { uid }) => `${path.replace(/\/$/, '')}/interaction/${uid}` },
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
    if (ctx.path === '/jwks' && forgery.rotated) ctx.body = { keys: [toJwk(createPublicKey(nextKey), 'next')] }
    if (ctx.path === '/me' && forgery.userInfo === null) ctx.throw(403)
    if (ctx.path === '/me' && forgery.userInfo) ctx.body = { ...(ctx.body as object), ...forgery.userInfo }
    const location: string = ctx.response.get('Location') ?? ''
    if (redirectUris.some((uri) => location.startsWith(uri))) ctx.redirect(diverted(location, forgery))
  })
  const handle = provider.callback()
  server.on('request', (request, response) => {
    const url = request.url ?? ''
    const prefix = path.replace(/\/$/, '')
    if (prefix !== '' && url.startsWith(`${prefix}/`)) {
      Object.assign(request, { originalUrl: url, url: url.slice(prefix.length) })
    }
    void handle(request, response)
  })
  return {
    issuer,
    ...client,
    claims,
    forgery,
    async follow(url) {
      const jar = new Map<string, string>()
      let at = url
      while (at.origin === origin) {
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

function forged(token: string, { token: claims, signature = false, skew = 0, rotated = false }: Forgery): string {
  if (!claims && !signature && skew === 0 && !rotated) return token
  const [header = '', payload = ''] = token.split('.')
  const told = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const changed = { ...told, iat: told.iat + skew, nbf: told.iat + skew, exp: told.exp + skew, ...claims }
  const head = rotated ? encode({ alg: 'RS256', kid: 'next' }) : header
  const text = `${head}.${encode(changed)}`
  return `${text}.${signed(text, signature ? newKey() : rotated ? nextKey : key)}`
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

const toJwk = (of: KeyObject, kid: string) => ({ ...of.export({ format: 'jwk' }), use: 'sig', kid })

const signed = (text: string, by: KeyObject): string => sign('sha256', Buffer.from(text), by).toString('base64url')

function diverted(location: string, { back = {} }: Forgery): string {
  const url = new URL(location)
  for (const [name, value] of Object.entries(back)) url.searchParams.set(name, value)
  return url.href
}
