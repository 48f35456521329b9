/** Routes of device login: a program asks, its user approves in a browser, and the program gets an API token. */
import { claimDeviceLogin, decideDeviceLogin, readDeviceLogin, startDeviceLogin } from '../../auth/device-login.js'
import * as api from '../../shared/api/index.js'
import { defineRoute, type RouteRow } from './route.js'

const startRoute = defineRoute({
  summary: 'Start a device login: the user approves its code in a browser',
  body: api.StartDeviceLogin,
  response: api.StartedDeviceLogin,
  handle: ({ body, caller }, app) => startDeviceLogin(app, body, caller),
})

const claimRoute = defineRoute({
  summary: 'Get the API token of an approved device login, once, from the address that started it',
  body: api.ClaimDeviceLogin,
  response: api.CreatedToken,
  errors: [
    'auth.device_pending',
    'auth.device_slow_down',
    'auth.device_denied',
    'auth.device_expired',
    'auth.users_disabled',
    'auth.suspended',
    'token.limit_reached',
  ],
  handle: ({ body, caller }, app) => claimDeviceLogin(app, body.deviceCode, caller),
})

const readRoute = defineRoute({
  summary: 'Get the device login of a user code',
  query: api.DeviceLoginQuery,
  response: api.PendingDeviceLogin,
  errors: ['auth.device_expired'],
  handle: ({ query }, app) => readDeviceLogin(app, query.code),
})

const decideRoute = defineRoute({
  summary: 'Approve or deny a device login',
  body: api.DecideDeviceLogin,
  errors: ['auth.device_expired', 'auth.proof_required'],
  handle: ({ body, caller }, app) => decideDeviceLogin(app, body, caller),
})

// biome-ignore format: one row per route
export const deviceRoutes: RouteRow[] = [
  // A page of another site must not start a login from the address of its visitor.
  ['POST', '/authentication/device',       'device-start', { sameOrigin: 'always', whileRestricted: true },  startRoute],
  ['POST', '/authentication/device/token', 'device-token', { sameOrigin: 'always', whileRestricted: true },  claimRoute],
  ['GET',  '/account/device',              'device-code',  { requires: 'interactive' },                      readRoute],
  ['POST', '/account/device',              'device-code',  { requires: 'interactive', proof: 'always' },     decideRoute],
]
