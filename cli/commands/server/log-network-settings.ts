/** Logs the settings that decide who can reach the instance, in one line at startup. */
import type { Log } from '#core/runtime'
import type { InstanceConfig } from '../../instance/instance-config.js'

interface NetworkConfig extends Pick<InstanceConfig, 'settings'> {
  settings: InstanceConfig['settings'] & { anyAddress: boolean }
}

export function logNetworkSettings({ settings }: NetworkConfig, log: Log): void {
  const { publicUrl, anyAddress, allowedHosts, trustedProxies, corsOrigins, limits, limitFactor } = settings
  const or = (list: string[], none: string) => list.join(' ') || none
  log.info('network settings', {
    publicUrl: anyAddress ? 'any address of this machine' : publicUrl,
    allowedHosts: or(allowedHosts, 'none'),
    trustedProxies: or(trustedProxies, 'none'),
    corsOrigins: or(corsOrigins, 'none'),
    limits: limits === 'off' ? 'off' : `${limits || 'storage'} x${limitFactor}`,
  })
  const { protocol, hostname } = new URL(publicUrl)
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (protocol === 'http:' && !isHere) log.warn('publicUrl is not https: links and cookies can be intercepted')
}
