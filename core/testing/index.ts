/** For tests of plugins, also from outside as "mayfly/testing". Our own tests find the rest at #core/testing/NAME. */
export * from './fixtures.js'
export { type OpenedStorage, openStorage } from './open-storage.js'
export { storageContract } from './storage-contract.js'
