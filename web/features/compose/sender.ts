/** The chunk that encrypts and sends a draft and shows its link, and other code that the form needs later. */

export { startCryptoWorker } from '../../crypto-worker/crypto-client.js'
export { CancelButton } from './CancelButton.js'
export { CannotCreate } from './CannotCreate.js'
export { ChosenOptions } from './ChosenOptions.js'
export { CreatedPage } from './CreatedPage.js'
export { endExpiredSession } from './end-expired-session.js'
export { OptionFields } from './OptionFields.js'
export { prepareDraft } from './prepare-draft.js'
export { registerShareWorker } from './share/share-worker.js'
export { StartField } from './start/StartField.js'
export { toProblems } from './to-problems.js'
