/** The storage on any SQL database that knex speaks to. The plugin of each engine makes the connection. */
export { knexStorage } from './storage.js'
