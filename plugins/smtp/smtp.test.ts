/** Mails against a real SMTP server, and against servers that fail. */

import { readdirSync } from 'node:fs'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import tls from 'node:tls'
import type { SMTPServerOptions } from 'smtp-server'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createLanguageNegotiator, definePlugin, type MailChannel, type Notification, type Plugin, z } from '#core'
import { freePort, noLog, toAuthContext } from '#core/runtime'
import { createSecret } from '#core/secrets/create-secret'
import { viewSecret } from '#core/secrets/view-secret'
import { type MailServer, readHeaders, readParts, startMailServer } from '#test/mail-server'
import { memory } from '#test/memory-plugin'
import { needs } from '#test/needs'
import { ROOT } from '#test/source-files'
import { testApp } from '#test/test-app'
import { createCertificate } from '#test/tls-listener'
import { composeMail } from './compose-mail.js'
import smtp from './index.js'
import { createMailer } from './mailer.js'
import { options } from './smtp-options.js'
import { TEXTS } from './texts.js'

const never = new AbortController().signal
const SITE = 'https://secrets.example.org/base'
const FROM = 'Mayfly für alle <mayfly@example.org>'
const AT = Date.UTC(2026, 0, 31, 12, 30)

const VIEWED: Notification = {
  id: 'evt_1',
  type: 'secret.viewed',
  at: AT,
  data: { secretId: 'x8Yk2mQvT0qk1l5r9cJ7Zg', createdAt: AT - 60_000, views: 1, viewsLeft: 2, recipient: null },
  recipient: { address: 'alice@example.org', username: 'alice', language: 'en-GB' },
  unsubscribeUrl: `${SITE}/api/v1/notifications/unsubscribe/id.token`,
}

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function startServer(given: SMTPServerOptions = {}, port = 0): Promise<MailServer> {
  const server = await startMailServer(given, port)
  closing.push(server.close)
  return server
}

async function setUp(given: object): Promise<MailChannel> {
  const parsed = options.parse({ host: '127.0.0.1', from: FROM, ...given })
  const hooks = await smtp.setup(parsed, { log: noLog, dataDir: '/', publicUrl: SITE, clock: Date })
  closing.push(() => hooks.close?.())
  return hooks.channels?.[0] as MailChannel
}

const refuseWith = (responseCode: number) => Object.assign(new Error('no, alice@example.org'), { responseCode })

test('SEC-32: a notification arrives as text and as HTML, with a link that turns it off', async () => {
  const { port, mails } = await startServer()
  const channel = await setUp({ port })
  expect(await channel.deliver(VIEWED, never)).toEqual({ isDelivered: true, result: 'sent' })
  const [mail = expect.fail('no mail')] = mails
  expect(mail).toMatchObject({ from: 'mayfly@example.org', to: ['alice@example.org'] })
  const headers = readHeaders(mail)
  for (const line of [
    /^To: alice@example\.org$/m,
    /^Message-ID: <evt_1@example\.org>$/m,
    /^Auto-Submitted: auto-generated$/m,
    /^Content-Language: en$/m,
    /^List-Unsubscribe: <https:\/\/secrets\.example\.org\/base\/api\/v1\/notifications\/unsubscribe\/id\.token>$/m,
    /^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m,
  ])
    expect(headers).toMatch(line)
  const [text = '', html = ''] = readParts(mail)
  for (const part of [text, html]) {
    expect(part).toContain('Hi, alice')
    expect(part).toContain('January 31, 2026')
    expect(part).toContain('x8Yk2mQvT0qk1l5r9cJ7Zg')
    expect(part).toContain(`${SITE}/account/secrets`)
    expect(part).toContain(VIEWED.unsubscribeUrl)
  }
  expect(html).toContain('<html lang="en" dir="ltr">')
  // Without content that a mail program would load, and without a link to the secret.
  expect(html).not.toMatch(/<(img|link|script|style|iframe)|url\(|\/secret\//)
})

const CHANGES = Object.keys(TEXTS.en['account-changed']).filter((name) => !['subject', 'text', 'ask'].includes(name))

test.each(['suspended', 'deleted'])('a mail about a %s account has no link, and names the administrator', (change) => {
  const data = { change, recipient: null }
  const notification = { ...VIEWED, type: 'account-changed', data, unsubscribeUrl: null } as unknown as Notification
  const { text, html } = composeMail(notification, { language: 'en', publicUrl: SITE })
  expect(text).toContain('ask an administrator of secrets.example.org')
  expect(text + html).not.toMatch(/https?:|password/)
})

test.each(Object.keys(TEXTS))('%s: every notification has a subject and a text without placeholders', (language) => {
  const secret = { secretId: 'x8Yk', createdAt: AT }
  const all = [
    { type: 'secret.viewed', data: { ...secret, views: 11, viewsLeft: null, recipient: 2 } },
    { type: 'secret.expired', data: secret },
    { type: 'secret.burned', data: { ...secret, views: 0 } },
    { type: 'secret.locked', data: { ...secret, lockedUntil: AT } },
    { type: 'request.submitted', data: { requestId: 'rEq', submissions: 1, submissionsLeft: 4 } },
    { type: 'password-reset', data: { url: `${SITE}/reset-password#token`, expiresAt: AT }, unsubscribeUrl: null },
    { type: 'verify-email', data: { url: `${SITE}/verify-email#token`, expiresAt: AT }, unsubscribeUrl: null },
    { type: 'secret-code', data: { code: '01234567', minutes: 10, sender: 'anna.b' }, unsubscribeUrl: null },
    { type: 'new-device', data: { network: '192.0.2.0/24', program: 'Firefox' }, unsubscribeUrl: null },
    ...CHANGES.map((change) => ({ type: 'account-changed', data: { change }, unsubscribeUrl: null })),
    { type: 'test', data: {}, unsubscribeUrl: null },
  ]
  for (const each of all) {
    const mail = composeMail({ ...VIEWED, ...each } as Notification, { language, publicUrl: SITE })
    expect(mail.subject).toMatch(/^.{3,80} – secrets\.example\.org$/)
    expect(mail.text + mail.html).not.toMatch(/\{\{|undefined|null/)
    expect(mail.html).toContain(`lang="${language}"`)
  }
})

test('SEC-32: a mail server that is down delays mails without losing them', async () => {
  const port = await freePort()
  const parsed = options.parse({ host: '127.0.0.1', from: FROM, port })
  const plugin = definePlugin({
    contract: 1,
    name: 'smtp',
    options: z.object({}),
    setup: (_, context) => smtp.setup(parsed, context),
  })
  const app = await testApp(memory, { plugins: [plugin as Plugin] })
  closing.push(app.close)
  const owner = await app.signUp({ emailVerified: 1 })
  const caller = toAuthContext(owner, { address: null })
  const { id } = await createSecret(app, { text: 'ö ☃', ttl: 60, notify: true }, caller)
  await viewSecret(app, id, {}, caller)
  const state = async () => (await app.storage.outbox.list({}, { skip: 0, take: 9 })).map(({ state }) => state)
  await app.background.delivery.run()
  expect(await state()).toEqual(['pending'])
  const { mails } = await startServer({}, port)
  app.clock.now += 60_000
  await app.background.delivery.run()
  expect(await state()).toEqual(['delivered'])
  expect(mails.map(({ to }) => to)).toEqual([[owner.email]])
  // The log names neither the recipient nor the subject.
  expect(app.logged.join()).not.toMatch(new RegExp(`${owner.email}|${id.split('~')[0]}`))
})

test('languages match the languages of the web app', () => {
  const languagesOfPages = readdirSync(join(ROOT, 'web/locales')).map((name) => name.replace('.json', ''))
  expect(Object.keys(TEXTS).sort()).toEqual(languagesOfPages.sort())
})

test('languages have the same texts and placeholders as English', () => {
  const shape = (value: unknown, path = ''): string[] =>
    typeof value === 'string'
      ? [`${path} ${[...value.matchAll(/\{\{.+?\}\}/g)].join()}`]
      : Object.entries(value as object).flatMap(([key, below]) => shape(below, `${path}/${key}`))
  for (const [language, texts] of Object.entries(TEXTS)) expect(shape(texts), language).toEqual(shape(TEXTS.en))
  expect(createLanguageNegotiator(Object.keys(TEXTS))('no')).toBe('nb')
})

test('the mail server is greeted with the host of publicUrl, or with smtp.name', async () => {
  const names: string[] = []
  const { port } = await startServer({
    onMailFrom(_, { hostNameAppearsAs }, done) {
      names.push(String(hostNameAppearsAs))
      done()
    },
  })
  await (await setUp({ port })).deliver(VIEWED, never)
  await (await setUp({ port, name: 'mail-client.example.org' })).deliver(VIEWED, never)
  expect(names).toEqual(['secrets.example.org', 'mail-client.example.org'])
})

describe('failures', () => {
  test.each([
    [
      '421 of the greeting',
      { onConnect: (_: unknown, done: (error: Error) => void) => done(refuseWith(421)) },
      'connection refused for now (SMTP 421)',
      false,
    ],
    [
      '450 of the recipient',
      { onRcptTo: (_: unknown, __: unknown, done: (error: Error) => void) => done(refuseWith(450)) },
      'recipient refused for now (SMTP 450)',
      false,
    ],
    [
      '550 of the recipient',
      { onRcptTo: (_: unknown, __: unknown, done: (error: Error) => void) => done(refuseWith(550)) },
      'recipient refused (SMTP 550)',
      true,
    ],
    [
      '550 of the sender',
      { onMailFrom: (_: unknown, __: unknown, done: (error: Error) => void) => done(refuseWith(550)) },
      'sender refused (SMTP 550)',
      false,
    ],
    [
      '554 of the mail',
      {
        onData(stream: NodeJS.ReadableStream, _: unknown, done: (error: Error) => void) {
          stream.resume().on('end', () => done(refuseWith(554)))
        },
      },
      'message refused (SMTP 554)',
      true,
    ],
  ])('%s', async (_, given, result, isPermanent) => {
    const { port } = await startServer(given as SMTPServerOptions)
    const channel = await setUp({ port })
    expect(await channel.deliver(VIEWED, never)).toEqual({ isDelivered: false, isPermanent, result })
  })

  test('a server that is down or refuses the sign-in is not a permanent failure, and ping reports it', async () => {
    const down = await setUp({ port: await freePort() })
    expect(await down.deliver(VIEWED, never)).toMatchObject({ isDelivered: false, isPermanent: false })
    await expect(down.ping?.()).rejects.toThrow(/^ECONNREFUSED$/)
    const { port } = await startServer({
      allowInsecureAuth: true,
      onAuth: (_, __, done) => done(new Error('no, hunter2')),
    })
    const refused = await setUp({ port, user: 'mayfly', password: 'hunter2' })
    const outcome = await refused.deliver(VIEWED, never)
    expect(outcome).toEqual({ isDelivered: false, isPermanent: false, result: 'sign-in refused (SMTP 535)' })
    await expect(refused.ping?.()).rejects.toThrow('sign-in refused (SMTP 535)')
  })

  test('a server that accepts connections and sends nothing times out', async () => {
    const sockets: Socket[] = []
    const silent: Server = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1')
    await new Promise((resolve) => silent.once('listening', resolve))
    closing.push(() => {
      for (const socket of sockets) socket.destroy()
      silent.close()
    })
    const parsed = options.parse({ host: '127.0.0.1', from: FROM, port: (silent.address() as AddressInfo).port })
    const short = { dnsTimeout: 50, connectionTimeout: 50, greetingTimeout: 50, socketTimeout: 50 }
    const mailer = createMailer(parsed, short)
    const mail = {
      id: 'evt_1',
      to: 'a@example.org',
      subject: 's',
      text: 't',
      html: 'h',
      unsubscribeUrl: null,
      language: 'en',
    }
    expect(await mailer.send(mail, never)).toEqual({ isDelivered: false, isPermanent: false, result: 'ETIMEDOUT' })
  })

  test('TLS is required on port 587 of another machine and with starttls', async () => {
    const { port, mails } = await startServer()
    const channel = await setUp({ port, tls: 'starttls' })
    const result = expect.stringMatching(/^no STARTTLS \(SMTP 50\d\)$/)
    expect(await channel.deliver(VIEWED, never)).toEqual({ isDelivered: false, isPermanent: false, result })
    expect(mails).toEqual([])
    const implicit = await setUp({ port, tls: 'implicit' })
    await expect(implicit.ping?.()).rejects.toThrow('no TLS on this port (ERR_SSL_WRONG_VERSION_NUMBER)')
  })

  describe.each(['starttls', 'implicit'])('with %s', needs('openssl'), (mode) => {
    test('an untrusted certificate and a certificate for another name have different errors', async () => {
      const { cert, key, close } = createCertificate()
      closing.push(close)
      const { port, mails } = await startServer({ cert, key, secure: mode === 'implicit', disabledCommands: [] })
      const send = async (host: string) => (await setUp({ host, port, tls: mode })).deliver(VIEWED, never)
      const failure = { isDelivered: false, isPermanent: false }
      const untrusted = 'self-signed certificate (DEPTH_ZERO_SELF_SIGNED_CERT)'
      expect(await send('localhost')).toEqual({ ...failure, result: untrusted })
      const create = tls.createSecureContext
      const trusting = vi
        .spyOn(tls, 'createSecureContext')
        .mockImplementation((given) => create({ ...given, ca: cert }))
      closing.push(() => trusting.mockRestore())
      const wrongName = 'certificate for another host name (ERR_TLS_CERT_ALTNAME_INVALID)'
      expect(await send('127.0.0.1')).toEqual({ ...failure, result: wrongName })
      expect(await send('localhost')).toEqual({ isDelivered: true, result: 'sent' })
      expect(mails).toHaveLength(1)
    })
  })
})

test.each([
  'alice@example.org\r\nBcc: mallory@example.org',
  'alice@example.org,mallory@example.org',
  'alice@example.org>, <mallory@example.org',
  'Alice <alice@example.org>',
  '',
])('V1.3.11: the address %j is refused for good, without a connection', async (address) => {
  const { port, mails } = await startServer()
  const channel = await setUp({ port })
  const outcome = await channel.deliver({ ...VIEWED, recipient: { ...VIEWED.recipient, address } }, never)
  expect(outcome).toEqual({ isDelivered: false, isPermanent: true, result: 'address refused' })
  expect(mails).toEqual([])
})

test('V1.3.11: HTML in a name is text in the mail', async () => {
  const { port, mails } = await startServer()
  const channel = await setUp({ port })
  await channel.deliver({ ...VIEWED, recipient: { ...VIEWED.recipient, username: '<img src=x>' } }, never)
  const [, html = ''] = readParts(mails[0] ?? expect.fail('no mail'))
  expect(html).toContain('&lt;img src=x&gt;')
})

test('at most three connections are open at a time', async () => {
  let open = 0
  let most = 0
  const { port, mails } = await startServer({
    onConnect(_, done) {
      most = Math.max(most, ++open)
      done()
    },
    onClose: () => void open--,
  })
  const channel = await setUp({ port })
  await Promise.all(Array.from({ length: 12 }, () => channel.deliver(VIEWED, never)))
  expect(mails).toHaveLength(12)
  expect(most).toBeLessThanOrEqual(3)
})

test.each([
  [{ from: 'no address' }, 'from'],
  [{ from: 'Mayfly <mayfly@example.org>\r\nBcc: a@example.org' }, 'from'],
  [{ host: 'mail.example.org/x' }, 'host'],
  [{ port: '0' }, 'port'],
  [{ tls: 'off' }, 'tls'],
  [{ language: 'english!' }, 'language'],
])('invalid options %j name the option', (given, option) => {
  const { error } = options.safeParse(given)
  expect(error?.issues.map(({ path }) => path[0])).toContain(option)
})

test('setup names a missing sender, and a user without a password', async () => {
  await expect(setUp({ from: '' })).rejects.toThrow('smtp.from')
  await expect(setUp({ user: 'mayfly' })).rejects.toThrow('smtp.password')
})
