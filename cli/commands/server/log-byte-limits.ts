/** Logs how much an instance stores and accepts, in one line at startup: `instanceBytes: auto` depends on the disk. */
import type { Log } from '#core/runtime'
import type { InstanceSettings } from '../../instance/instance-config.js'

type Limits = Pick<InstanceSettings, 'instanceBytes' | 'visitorBytesPerDay' | 'userBytesPerDay' | 'maxFileBytes'>

export function logByteLimits(
  { instanceBytes, visitorBytesPerDay, userBytesPerDay, maxFileBytes }: Limits,
  log: Log,
): void {
  log.info('limits in bytes', {
    instanceBytes: instanceBytes ?? 'off',
    visitorBytesPerDay,
    userBytesPerDay: userBytesPerDay ?? 'off',
    maxFileBytes,
  })
}
