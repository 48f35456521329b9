/** Both pages of webhooks, which load as one file: a visit to one of them leads to the other. */
export * as deliveriesPage from './DeliveriesPage.js'
export * as webhooksPage from './WebhooksPage.js'
