/** What a program needs to run Mayfly: the command line and the tests. Plugins import core/index.ts instead. */
export { type App, type AppSettings, type ConfiguredPlugin, createApp } from './app.js'
export { freePort, listen, stopListening } from './http/server.js'
export { type BuiltIns, loadPlugin, PluginError } from './load-plugin.js'
export { createLog, type Log, type LogFormat, type LogLevel, noLog } from './log.js'
export type { Plugin } from './plugin.js'
