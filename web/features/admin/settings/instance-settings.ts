/** The screen with its loader. */
export { default } from './InstanceSettingsPage.js'
export { instanceSettings as loader } from './load.js'
