/** Every route of the API, relative to /api/v1. README.md in this folder lists them with their access rules. */
import { accountRoutes } from './account.js'
import { adminRoutes } from './admin.js'
import { authenticationRoutes } from './authentication.js'
import { deviceRoutes } from './device.js'
import { factorRoutes } from './factors.js'
import { fileRoutes } from './files.js'
import { instanceRoutes } from './instance.js'
import { notificationRoutes } from './notifications.js'
import { receiptRoutes } from './receipts.js'
import { redirectRoutes } from './redirects.js'
import { requestRoutes } from './requests.js'
import type { Route, RouteConfig } from './route.js'
import { secretRoutes } from './secrets.js'
import { webhookRoutes } from './webhooks.js'

const ROWS = [
  ...secretRoutes,
  ...receiptRoutes,
  ...requestRoutes,
  ...fileRoutes,
  ...authenticationRoutes,
  ...deviceRoutes,
  ...factorRoutes,
  ...redirectRoutes,
  ...accountRoutes,
  ...webhookRoutes,
  ...adminRoutes,
  ...notificationRoutes,
  ...instanceRoutes,
]

export function routes(config: RouteConfig): Route[] {
  return ROWS.map(([method, path, limit, access, route, open]) => ({
    method,
    path,
    ...(limit && { limit }),
    ...(typeof access === 'function' ? access(config) : access),
    ...(open && { isOpen: true }),
    ...route,
  }))
}
