/** For tests of plugins, also from outside as "mayfly/testing". */

export { findCanaries } from './canaries.js'
export * from './fixtures.js'
export { CLI, type RunningServer, startServer } from './serve.js'
export { type OpenStorage, storageContract } from './storage-contract.js'
export { type TestApp, testApp } from './test-app.js'
