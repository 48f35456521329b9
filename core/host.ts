/** What a program needs to run Mayfly: the command line and the tests. Plugins import core/index.ts instead. */
export { type App, type AppSettings, type ConfiguredPlugin, createApp, openStorage } from './app.js'
export { type BlobCopy, copyBlobs } from './copying/blobs.js'
export { compareRows, copyRows, PROGRESS, type Progress, type TableCopy } from './copying/rows.js'
export { freePort, listen, stopListening } from './http/server.js'
export { type BuiltIns, loadPlugin, PluginError } from './load-plugin.js'
export { createLog, type Log, type LogFormat, type LogLevel, noLog } from './log.js'
export type { Hooks, Plugin } from './plugin.js'
