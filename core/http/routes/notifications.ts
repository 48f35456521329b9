/** Routes of the links in notifications. */
import { z } from 'zod'
import { unsubscribe } from '../../notifications/notification-settings.js'
import { basePath } from '../../shared/site.js'
import { defineRoute, type RouteRow } from './route.js'

const params = z.object({ token: z.string().max(128) })

const openUnsubscribePageRoute = defineRoute({
  summary: 'Redirect to the page that turns notifications off',
  params,
  status: 303,
  responseType: 'redirect',
  handle: async ({ params }, _, { publicUrl }) =>
    `${basePath(publicUrl)}/unsubscribe#${encodeURIComponent(params.token)}`,
})

const unsubscribeRoute = defineRoute({
  summary: 'Turn notifications off with the token of a link, also as One-Click of RFC 8058',
  params,
  errors: ['request.not_found'],
  handle: ({ params }, app) => unsubscribe(app, params.token),
})

// biome-ignore format: one row per route
export const notificationRoutes: RouteRow[] = [
  ['GET',  '/notifications/unsubscribe/:token', 'cheap',   { whileRestricted: true }, openUnsubscribePageRoute],
  ['POST', '/notifications/unsubscribe/:token', 'account', { whileRestricted: true }, unsubscribeRoute],
]
