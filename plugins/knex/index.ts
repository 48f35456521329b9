/**
 * Storage on any SQL database that knex supports, published as "mayfly/knex". The plugin of each engine opens the
 * connection.
 */
export { batchSize, CONNECTION_DEFAULTS } from './connection/connection-defaults.js'
export { type DatabaseContext, explainError } from './connection/explain-error.js'
export { type Address, addressOf, serverOptions } from './connection/server-options.js'
export type { TlsMode, UrlDialect } from './connection/server-url.js'
export { CONNECT_WITHIN, createPool, explainFailure, openServer, openWithOptionalTls } from './open-server.js'
export { type Engine, knexStorage } from './storage.js'
