export { type Config, envName, loadConfig, type Section, type Setting, type Sources } from './load-config.js'
export { markdownTable, printSettings, shownValue } from './print.js'
export { type CoreSettings, coreSettings } from './schema.js'
