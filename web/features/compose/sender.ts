/** The chunk that encrypts and sends a draft and shows its link. */

export { startCryptoWorker } from '../../crypto-worker/crypto-client.js'
export { CreatedPage } from './CreatedPage.js'
export { prepareLink } from './create-link.js'
