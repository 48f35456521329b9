/** Everything a plugin may import, also from outside as "mayfly". */
export { z } from 'zod'
export type * from './contracts/file-store.js'
export type * from './contracts/storage.js'
export { AppError, ERRORS, type ErrorCode, isAppError } from './errors.js'
export type { Events, Listeners } from './events.js'
export type { Log, LogFields, LogLevel } from './log.js'
export { definePlugin, type Hooks, type Host, type Plugin, secret } from './plugin.js'
export { PASSWORD_ATTEMPTS } from './shared/limits.js'
