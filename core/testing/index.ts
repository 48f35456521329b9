/** For tests of plugins, also from outside as "mayfly/testing". Our own tests find the rest at #core/testing/NAME. */
export { authProviderContract, type OpenedAuthProvider } from './auth-provider-contract.js'
export { fileStoreContract } from './file-store-contract.js'
export * from './lib/fixtures.js'
export { type OpenedFileStore, type OpenedStorage, openFileStore, openPlugin, openStorage } from './lib/open-plugin.js'
export { storageContract } from './storage-contract.js'
