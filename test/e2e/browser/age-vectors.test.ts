/**
 * Test vectors once more, in a real browser, because a page runs other code than Node.js: with the native cryptography
 * of the browser, and with the cryptography in JavaScript.
 */

import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { VectorReport } from '#test/age-vectors'
import { PORTABLE_CIPHER, PORTABLE_KEM, withoutAlgorithms } from '#test/browser/crypto-paths'
import { type PageOptions, runInChromium } from '#test/browser/run-in-chromium'
import { needs } from '#test/needs'
import { ROOT } from '#test/source-files'

const path = (file: string) => JSON.stringify(join(ROOT, file))

/** Whether the page uses the cipher and the key encapsulation of the browser. */
const isNative = (options: PageOptions): Promise<{ cipher: boolean; kem: boolean }> =>
  runInChromium(
    `
    import { loadCipher } from ${path('web/crypto-worker/native/native-cipher.ts')}
    import { loadKem } from ${path('web/crypto-worker/native/native-kem.ts')}
    import { loadCipher as loadPortableCipher } from ${path('core/shared/crypto/portable-cipher.ts')}
    import { loadKem as loadPortableKem } from ${path('core/shared/crypto/portable-kem.ts')}
    window.report = (async () => ({
      cipher: (await loadCipher()) !== loadPortableCipher(),
      kem: (await loadKem()) !== loadPortableKem(),
    }))()`,
    options,
  )

const NATIVE: [name: string, options: PageOptions] = ['with native cryptography', {}]
const PORTABLE: [name: string, options: PageOptions] = [
  'without native cryptography',
  { initScript: withoutAlgorithms('ChaCha20-Poly1305', 'ML-KEM-768', 'X25519') },
]

describe('in Chromium', needs('chromium'), () => {
  test('CRY-21: a secure page uses the cryptography of the browser', async () => {
    expect(await isNative({})).toEqual({ cipher: true, kem: true })
  })

  test.each(PORTABLE_CIPHER)('CRY-21: %s, the cipher in JavaScript is used', async (_, options) => {
    expect(await isNative(options)).toMatchObject({ cipher: false })
  })

  test.each(PORTABLE_KEM)('CRY-21: %s, the key encapsulation in JavaScript is used', async (_, options) => {
    expect(await isNative(options)).toMatchObject({ kem: false })
  })

  describe.each([NATIVE, PORTABLE, ['over plain http', { isPlainHttp: true }]])('%s', (_, options) => {
    let report: { age: VectorReport; requests: string[] }
    beforeAll(async () => {
      report = await runInChromium(
        `
        import * as ageVectors from 'cctv-age'
        import requestVectors from ${path('core/shared/request-vectors.json')}
        import { tryAgeVectors } from ${path('test/support/age-vectors.ts')}
        import { tryRequestVectors } from ${path('test/support/request-vectors.ts')}
        window.report = (async () => ({
          age: await tryAgeVectors(ageVectors),
          requests: await tryRequestVectors(requestVectors),
        }))()`,
        options,
      )
    })

    test('CRY-01: decrypt accepts and rejects the C2SP vectors as specified', () => {
      expect(report.age).toEqual({ opened: 2, refused: 141, rewrapped: 36, wrong: [] })
    })

    test('every vector of secret requests passes', () => {
      expect(report.requests).toEqual([])
    })
  })
})
