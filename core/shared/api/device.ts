/** Schemas of device login: a program gets an API token that its user approves in a browser. */
import { z } from 'zod'
import { TOKEN_NAME_MAX, USER_CODE_PATTERN } from '../account-limits.js'
import { Scope } from './account.js'
import { count, shortText, time, title } from './common.js'
import { limitedList } from './limited-list.js'

/** A stored login must not be able to administer: administrators create tokens for that on purpose. */
const DeviceScope = Scope.extract(['secrets:create', 'secrets:read', 'account'])

/** Upper case without separators. */
const UserCode = z
  .string()
  .max(32, { abort: true })
  .meta({ description: 'user code', examples: ['BCDF-GHJK'] })
  .transform((code) => code.toUpperCase().replace(/[\s-]/g, ''))
  .pipe(z.string().regex(USER_CODE_PATTERN, 'must be the code that the program shows'))

export const StartDeviceLogin = z.strictObject({
  client: title
    .max(TOKEN_NAME_MAX)
    .meta({ description: 'program and machine; becomes the name of the token', examples: ['mayfly on laptop'] }),
  scopes: limitedList(DeviceScope, { min: 1, max: 3 }),
})

export type StartDeviceLogin = z.output<typeof StartDeviceLogin>

export const StartedDeviceLogin = z.object({
  deviceCode: shortText.describe('secret; only for the program'),
  userCode: shortText.describe('for the user, such as BCDF-GHJK'),
  verificationUrl: shortText.describe('page on which the user approves, with the user code'),
  expiresInSeconds: count,
  intervalSeconds: count.describe('minimum time between two requests for the token'),
})

export type StartedDeviceLogin = z.infer<typeof StartedDeviceLogin>

export const ClaimDeviceLogin = z.strictObject({ deviceCode: z.string().max(64) })

export const DeviceLoginQuery = z.strictObject({
  code: UserCode,
})

export const PendingDeviceLogin = z.object({
  client: shortText,
  address: shortText.nullable().describe('IP address of the program; null: unknown'),
  createdAt: time,
  scopes: z.array(DeviceScope),
})

export type PendingDeviceLogin = z.infer<typeof PendingDeviceLogin>

export const DecideDeviceLogin = z.strictObject({
  code: UserCode,
  approve: z.boolean().describe('false: denies it'),
})

export type DecideDeviceLogin = z.output<typeof DecideDeviceLogin>
