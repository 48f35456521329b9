/** Logs the settings that decide who can reach the instance, in one line at startup. */
import { isLoopbackHost } from '#core'
import type { Log, RunningApp } from '#core/runtime'
import type { InstanceConfig } from '../../instance/instance-config.js'

type Stores = Pick<RunningApp, 'storage' | 'files'>

interface NetworkConfig extends Pick<InstanceConfig, 'settings'> {
  settings: InstanceConfig['settings'] & { anyAddress: boolean }
}

export function logNetworkSettings({ settings }: NetworkConfig, { storage, files }: Stores, log: Log): void {
  const { publicUrl, role, anyAddress, allowedHosts, trustedProxies, corsOrigins, limits, limitFactor } = settings
  const or = (list: string[], none: string) => list.join(' ') || none
  log.info('network settings', {
    role,
    publicUrl: anyAddress ? 'any address of this machine' : publicUrl,
    allowedHosts: or(allowedHosts, 'none'),
    trustedProxies: or(trustedProxies, 'none'),
    corsOrigins: or(corsOrigins, 'none'),
    limits: limits === 'off' ? 'off' : `${limits || 'storage'} x${limitFactor}`,
  })
  const { protocol, hostname } = new URL(publicUrl)
  if (protocol === 'http:' && !isLoopbackHost(hostname))
    log.warn('publicUrl is not https: links and cookies can be intercepted')
  for (const [name, store] of Object.entries({ database: storage, 'file store': files })) {
    if (store?.isUnencrypted) log.warn(`the connection to the ${name} is not encrypted`, { location: store.location })
  }
}
