import { join } from 'node:path'
import type { Plugin } from 'vite'
import { WEB } from './folders.js'

const PUBLIC_KEY_CODE = /^@noble\/(curves|post-quantum)\//
const STUB = join(WEB, 'crypto-worker/stubs/noble-curves.ts')

/** The worker that creates, answers and collects secret requests. */
const REQUEST_WORKER = /request-worker\.\w+$/

/**
 * Removes the public-key half of age-encryption, 25 of its 38 kB (Brotli), which cannot be tree-shaken. Links of secrets carry
 * symmetric keys only. The worker for secret requests, which is a bundle of its own, keeps it.
 */
export function stubPublicKeys(): Plugin {
  let isStubbed = true
  return {
    name: 'stub-public-keys',
    apply: 'build',
    enforce: 'pre',
    buildStart({ input }) {
      isStubbed = !Object.values(input).some((file) => REQUEST_WORKER.test(file))
    },
    resolveId: (id) => (isStubbed && PUBLIC_KEY_CODE.test(id) ? STUB : null),
  }
}
