/** Checks of `doctor` that need only the config. */
import { chmod, stat } from 'node:fs/promises'
import { checkExposure, checkNodeVersion } from '#core/runtime'
import { isSecretOption } from '#shared/option-schemas'
import { isWideRange } from '#shared/proxy-ranges'
import type { InstanceConfig } from '../../instance/instance-config.js'
import { version } from '../../lib/version.js'
import { type CheckResult, fail, ok, warn } from './check-result.js'
import { checkPlugins } from './plugin-checks.js'

const LOOPBACK = /^(localhost|127(\.\d+){3}|::1)$/
const DISCOVERY_TIMEOUT_MS = 5000

export async function checkConfig(config: InstanceConfig): Promise<CheckResult[]> {
  return [
    ok('config', 'version', `Mayfly ${version}`),
    ok('config', 'role', config.settings.role),
    checkNodeVersion(process.versions.node, Date.now()),
    ...config.warnings.map(({ name, message, fix }) => warn('config', name, message, fix)),
    ...(await checkConfigFile(config)),
    ...checkExposure(config.settings),
    ...checkPluginsExposure(config),
    ...(await checkPlugins(config)),
    ...(await checkIssuers(config)),
  ]
}

/** Other users of the machine must not read passwords. */
async function checkConfigFile({ configFile: { path }, allSettings }: InstanceConfig): Promise<CheckResult[]> {
  const secrets = allSettings.filter(
    ({ origin, schema, value }) => origin === path && value !== '' && isSecretOption(schema),
  )
  if (path === null || secrets.length === 0) return []
  const mode = (await stat(path)).mode & 0o777
  if ((mode & 0o077) === 0) return [ok('config', 'config file', 'not readable by other users')]
  const message = `${path} contains ${secrets.map(({ key }) => key).join(', ')} and is readable by other users`
  return [{ ...warn('config', 'config file', message, `chmod 600 ${path}`), repair: () => chmod(path, 0o600) }]
}

/** `any` is allowed on purpose and still worth a warning. */
function checkPluginsExposure({ plugins }: InstanceConfig): CheckResult[] {
  const optionsOf = (name: string) => plugins.find(({ plugin }) => plugin.name === name)?.options
  const from = optionsOf('proxy-auth')?.from as string[] | undefined
  const results: CheckResult[] = []
  if (from?.some(isWideRange)) {
    const what = 'trusts every address, so anyone who reaches the port can sign in as any user'
    results.push(warn('config', 'proxy-auth.from', what, 'set MAYFLY_PROXY_AUTH_FROM to the address of the proxy'))
  }
  const metrics = optionsOf('metrics')
  if (metrics && !LOOPBACK.test(String(metrics.host)) && metrics.token === '') {
    const what = `readable without a token by everyone who reaches ${metrics.host}:${metrics.port}`
    results.push(warn('config', 'metrics', what, 'set MAYFLY_METRICS_TOKEN, or MAYFLY_METRICS_HOST=127.0.0.1'))
  }
  return results
}

/** An instance starts without its OpenID Connect provider, but then users cannot sign in with it. */
async function checkIssuers({ plugins }: InstanceConfig): Promise<CheckResult[]> {
  const options = plugins.find(({ plugin }) => plugin.name === 'oidc')?.options
  const providers = [options, ...((options?.providers as Record<string, unknown>[] | undefined) ?? [])]
  const issuers = providers.map((provider) => String(provider?.issuer ?? '')).filter((issuer) => issuer !== '')
  return Promise.all(issuers.map(checkIssuer))
}

async function checkIssuer(issuer: string): Promise<CheckResult> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(DISCOVERY_TIMEOUT_MS) })
    if (response.status !== 200) throw new Error(`status ${response.status}`)
    const found = ((await response.json()) as { issuer?: unknown }).issuer
    if (found === issuer) return ok('config', 'oidc issuer', `${issuer} is reachable`)
    const fix = `set the issuer to exactly ${found}`
    return fail('config', 'oidc issuer', `${issuer} calls itself ${found}`, fix)
  } catch (error) {
    const { cause, message, name } = error as Error & { cause?: { code?: string } }
    const reason = name === 'TimeoutError' ? 'timed out' : (cause?.code ?? message)
    const fix = `check the issuer and the network: curl ${url}`
    return fail('config', 'oidc issuer', `${issuer} is unreachable (${reason}), its users cannot sign in`, fix)
  }
}
