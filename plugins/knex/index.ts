/** Storage on any SQL database that knex supports, published as "mayfly/knex". The plugin of each engine opens the connection. */
export { batchSize, CONNECTION_DEFAULTS } from './connection/connection-defaults.js'
export { addressOf, serverOptions } from './connection/server-options.js'
export { CONNECT_WITHIN, openServer } from './open-server.js'
export { type Engine, knexStorage } from './storage.js'
