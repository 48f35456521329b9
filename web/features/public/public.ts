/** The screen with its loader. */
export { publicSecrets as loader } from './load.js'
export { default } from './PublicSecretsPage.js'
