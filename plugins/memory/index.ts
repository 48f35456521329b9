/**
 * Storage, file store and rate-limit store in the memory of one process; everything is lost when it ends. For trials, for
 * tests, and as the shortest example of a storage. Each operation runs without `await`, so no other one runs in between:
 * it is atomic.
 */
import { definePlugin, z } from '#core'
import { createAttachmentStore } from './attachment-store.js'
import { createAuditStore } from './audit-store.js'
import { createDroppedEventStore } from './dropped-event-store.js'
import { createEmailVerificationStore } from './email-verification-store.js'
import { createEndedSecretStore } from './ended-secret-store.js'
import { createMemoryFileStore } from './file-store.js'
import { createInstanceStateStore } from './instance-state-store.js'
import { createLeaseStore } from './lease-store.js'
import { createOutboxStore } from './outbox-store.js'
import { createPasswordResetStore } from './password-reset-store.js'
import { createRateLimitStore } from './rate-limit-store.js'
import { createReceiptStore } from './receipt-store.js'
import { createRequestStore } from './request-store.js'
import { createSecretStore } from './secret-store.js'
import { createSessionStore } from './session-store.js'
import { createSettingsStore } from './settings-store.js'
import { createStatsStore } from './stats-store.js'
import { createTables } from './tables.js'
import { createTokenStore } from './token-store.js'
import { createUserStore } from './user-store.js'
import { createUserWebhookStore } from './user-webhook-store.js'

export default definePlugin({
  contract: 2,
  name: 'memory',
  options: z.object({}),
  singleProcess: true,
  setup() {
    const tables = createTables()
    const limits = createRateLimitStore(tables)
    return {
      storage: {
        secrets: createSecretStore(tables),
        requests: createRequestStore(tables),
        receipts: createReceiptStore(tables),
        endedSecrets: createEndedSecretStore(tables),
        attachments: createAttachmentStore(tables),
        leases: createLeaseStore(),
        limits,
        users: createUserStore(tables),
        sessions: createSessionStore(tables),
        tokens: createTokenStore(tables),
        passwordResets: createPasswordResetStore(tables),
        emailVerifications: createEmailVerificationStore(tables),
        userWebhooks: createUserWebhookStore(tables),
        audit: createAuditStore(),
        stats: createStatsStore(),
        settings: createSettingsStore(),
        instanceState: createInstanceStateStore(),
        outbox: createOutboxStore(tables),
        droppedEvents: createDroppedEventStore(tables),
        migrate: async () => [],
        ping: async () => {},
        scrub: async () => true,
      },
      files: createMemoryFileStore(),
      limits,
    }
  },
})
