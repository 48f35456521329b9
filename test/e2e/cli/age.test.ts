/**
 * What `secret create` stores opens with the age program, given the passphrase that the protocol derives from the link.
 */

import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '#shared/client/client'
import { deriveKeys, newClaim } from '#shared/crypto/keys'
import { parseFragment } from '#shared/link'
import { parseLink } from '#shared/parse-links'
import { type LocalServer, startLocalServer } from '#test/local-server'
import { needs } from '#test/needs'
import { run } from '#test/run-cli'
import { terminal } from '#test/spawn-cli'

const PASSWORD = 'pässwörd'

let server: LocalServer
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-age-'))
  server = await startLocalServer()
})
afterAll(async () => {
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
})

describe('age', needs('age', 'script'), () => {
  test.each([
    ['without a password', undefined],
    ['with one', PASSWORD],
  ])('%s', async (_, password) => {
    const text = Buffer.from('first line\nsecond ☃\n\n')
    await writeFile(join(folder, 'password'), PASSWORD)
    const flags = password ? ['--password-file', join(folder, 'password')] : []
    const { stdout } = await run(['secret', 'create', '--server', server.url, ...flags], { stdin: text })
    const { base, id, fragment } = parseLink(stdout.toString())
    const keys = await deriveKeys(parseFragment(fragment ?? ''), password)
    const proofs = { access: keys.access, ...(keys.passwordProof ? { password: keys.passwordProof } : {}) }
    const stored = await createClient({ server: base }).view(id, { ...proofs, claim: newClaim() })
    await writeFile(join(folder, 'secret.age'), stored.text)

    const age = terminal('age -d -o plain secret.age', { cwd: folder })
    await age.sees(/passphrase:/)
    age.types(`${keys.passphrase}\r`)
    expect(await age.ended).toBe(0)
    const [header = ''] = (await readFile(join(folder, 'plain'), 'utf8')).split('\n')
    expect(JSON.parse(header)).toMatchObject({ v: 1, ttl: 86_400, maxViews: 1, hasPassword: password !== undefined })
    expect(execFileSync('tail', ['-n', '+2', join(folder, 'plain')])).toEqual(text)
    await rm(join(folder, 'plain'))
  })
})
