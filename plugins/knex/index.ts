/** The storage on any SQL database that knex speaks to, also from outside as "mayfly/knex". The plugin of each engine makes the connection. */
export { batchSize, CONNECTION_DEFAULTS } from './defaults.js'
export { addressOf, CONNECT_WITHIN, openServer, serverOptions } from './server.js'
export { type Engine, knexStorage } from './storage.js'
