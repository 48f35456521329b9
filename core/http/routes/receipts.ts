/** Routes of receipts. */
import { fieldError } from '../../lib/errors.js'
import { readReceipt } from '../../secrets/receipts.js'
import * as api from '../../shared/api/index.js'
import { defineRoute, type RouteRow } from './route.js'

const readReceiptRoute = defineRoute({
  summary: 'Read a receipt: the views and the end of a secret, without its text, its id or its key',
  headers: { 'mayfly-access': api.ReceiptToken },
  response: api.Receipt,
  errors: ['receipt.not_found'],
  async handle({ header }, app) {
    const token = header('mayfly-access')
    if (token === undefined) throw fieldError('mayfly-access', 'is required')
    return readReceipt(app, token)
  },
})

// biome-ignore format: one row per route
export const receiptRoutes: RouteRow[] = [
  ['GET', '/receipt', 'receipt', {}, readReceiptRoute],
]
