/** The screen with its loader. */
export { default } from './InstanceSettings.js'
export { instanceSettings as loader } from './load.js'
