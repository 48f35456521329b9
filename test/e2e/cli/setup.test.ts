/** The questions of `mayfly setup` on a terminal. */

import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { needs } from '#test/needs'
import { makeBucket } from '#test/s3'
import { registerSetupFolder } from '#test/setup-folder'
import { shell, terminal } from '#test/spawn-cli'

const ENTER = '\r'
const DOWN = '\x1b[B'

const { path, config } = registerSetupFolder()

describe('on a terminal', needs('script'), () => {
  test('setup repeats questions with failing values and prints the command without questions', async () => {
    const tty = terminal('mayfly setup', { cwd: path() })
    await tty.sees(/Where do you want to store secrets\?/)
    tty.types(DOWN + ENTER)
    await tty.sees(/Database URL, without the password:/)
    tty.types(`postgres://u@127.0.0.1:1/x${ENTER}`)
    await tty.sees(/Database password/)
    tty.types(`hunter2${ENTER}`)
    await tty.sees(/error:.*does not answer/)
    await tty.sees(/mayfly: hint: check host and port of the database/)
    await tty.sees(/Where do you want to store secrets\?/)
    tty.types(ENTER)
    await tty.sees(/ok: sqlite \/\S+\/data\/mayfly\.db/)
    await tty.sees(/Public URL of this instance:/)
    tty.types(`https://s.example.org${ENTER}`)
    await tty.sees(/Port to listen on:/)
    tty.types(`70000${ENTER}`)
    await tty.sees(/Where does the reverse proxy run\?/)
    tty.types(ENTER)
    await tty.sees(/error: port: /)
    await tty.sees(/Port to listen on:/)
    tty.types(`8080${ENTER}`)
    await tty.sees(/Where does the reverse proxy run\?/)
    tty.types(ENTER)
    await tty.sees(/Where do you want to store files\?/)
    tty.types(ENTER)
    await tty.sees(/ok: local-files \/\S+\/data\/files/)
    await tty.sees(/Create the first administrator now\?/)
    tty.types(ENTER)
    await tty.sees(/User name:/)
    // Refused at once, and only this question is asked again.
    tty.types(`x${ENTER}`)
    await tty.sees(/error:.* (?!.*--admin)/)
    await tty.sees(/User name:/)
    tty.types(ENTER)
    await tty.sees(/E-mail address:/)
    tty.types(`admin@example.org${ENTER}`)
    await tty.sees(/Generate a password\?/)
    tty.types(ENTER)
    await tty.sees(/Allow visitors to sign up\?/)
    tty.types(`n${ENTER}`)
    await tty.sees(/Write the config, create the tables and the administrator\?/)
    tty.types(ENTER)
    await tty.sees(/test secret created, opened and gone/)
    const command = await tty.sees(/mayfly setup --no-input [^\r]*/)
    expect(await tty.ended).toBe(0)
    expect(command).toContain('--generate-admin-password --disable-signup')
    expect(tty.screen()).not.toContain('hunter2')
    const written = {
      publicUrl: 'https://s.example.org',
      host: '127.0.0.1',
      port: 8080,
      trustedProxies: ['127.0.0.1'],
    }
    expect(await config()).toEqual(written)
    await rm(path('data'), { recursive: true })
    await rm(path('mayfly.config.json'))
    const { stdout, code } = await shell(command, { cwd: path() })
    expect(code).toBe(0)
    expect(stdout.toString()).toMatch(/^[\w-]{20}\n$/)
    expect(await config()).toEqual(written)
  })

  test('setup repeats the question for an invalid bucket', needs('s3'), async () => {
    const bucket = await makeBucket()
    const { endpoint, accessKeyId, secretAccessKey } = bucket.options()
    const tty = terminal('mayfly setup', { cwd: path() })
    for (const question of [
      /Where do you want to store secrets\?/,
      /Public URL of this instance:/,
      /Port to listen on:/,
    ]) {
      await tty.sees(question)
      tty.types(ENTER)
    }
    for (const asPath of ['n', 'y']) {
      const answers: [question: RegExp, answer: string][] = [
        [/Where do you want to store files\?/, DOWN],
        // By name, because a bucket cannot be a subdomain of an IP address.
        [/S3 endpoint URL/, endpoint.replace('127.0.0.1', 'localhost')],
        [/Put the bucket name in the path\?/, asPath],
        [/Region:/, ''],
        [/Bucket:/, bucket.bucket],
        [/Access key/, accessKeyId],
        [/Secret access key:/, secretAccessKey],
      ]
      for (const [question, answer] of answers) {
        await tty.sees(question)
        tty.types(answer + ENTER)
      }
      await tty.sees(asPath === 'n' ? /hint: endpoint, region or s3\.pathStyle is wrong/ : /ok: s3 /)
    }
    for (const [question, answer] of [
      [/Create the first administrator now\?/, 'n'],
      [/Allow visitors to sign up\?/, ''],
      [/Write the config, create the tables/, ''],
    ] as const) {
      await tty.sees(question)
      tty.types(answer + ENTER)
    }
    await tty.sees(/test secret created, opened and gone/)
    const command = await tty.sees(/mayfly setup --no-input [^\r]*/)
    expect(await tty.ended).toBe(0)
    expect(command).toContain('--set s3.pathStyle=true')
    expect(tty.screen()).not.toContain(secretAccessKey)
    const { endpoint: _, ...kept } = (await config()).s3
    expect(kept).toEqual({
      pathStyle: true,
      region: 'us-east-1',
      bucket: bucket.bucket,
      accessKeyId,
      secretAccessKey,
    })
    expect(await bucket.objects()).toEqual([])
    await bucket.drop()
  })

  test('Ctrl-C and the answer no write nothing and exit with 130', async () => {
    const tty = terminal('mayfly setup', { cwd: path() })
    await tty.sees(/Where do you want to store secrets\?/)
    tty.types('\x03')
    expect(await tty.ended).toBe(130)
    expect(existsSync(path('mayfly.config.json'))).toBe(false)
  })
})
