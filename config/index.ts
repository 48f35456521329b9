export { type Config, envName, loadConfig, type Section, type Setting, type Sources } from './load-config.js'
export { formatValue as shownValue, MASK, markdownTable } from './print.js'
export { type CoreSettings, coreSettings, isSecret } from './schema.js'
