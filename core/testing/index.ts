/** For tests of plugins, also from outside as "mayfly/testing". */
export * from './fixtures.js'
export { type OpenStorage, storageContract } from './storage-contract.js'
