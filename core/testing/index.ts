/** Contract suites for plugins, published as "mayfly/testing". */
export { auditSinkContract, type OpenedAuditSink } from './audit-sink-contract.js'
export { authProviderContract, type OpenedAuthProvider } from './auth-provider-contract.js'
export { channelContract, type OpenedChannel } from './channel-contract.js'
export { fileStoreContract } from './file-store-contract.js'
export * from './lib/fixtures.js'
export { type OpenedFileStore, type OpenedStorage, openFileStore, openPlugin, openStorage } from './lib/open-plugin.js'
export { limitStoreContract, type OpenedLimitStore } from './limit-store-contract.js'
export { storageContract } from './storage-contract.js'
