/** Named recipients in a real browser and in a shell, with a real mail server. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { signUp } from '#test/browser/accounts'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { type MailServer, readParts, smtpEnv, startMailServer } from '#test/mail-server'
import { needs } from '#test/needs'
import { run } from '#test/run-cli'

const TEXT = 'Schlüssel ☃ 🗝'

describe('named recipients', needs('chromium'), () => {
  let mailServer: MailServer
  let fixture: BrowserFixture
  beforeAll(async () => {
    mailServer = await startMailServer()
    fixture = await startBrowserFixture({ env: smtpEnv(mailServer) })
  })
  afterAll(async () => {
    await fixture.close()
    await mailServer.close()
  })
  afterEach(() => expect(fixture.takeErrors()).toEqual([]))

  /** The text of the last mail to an address, after `before` mails. */
  async function codeOf(address: string, before: number): Promise<string> {
    const ofAddress = () => mailServer.mails.filter(({ to }) => to.includes(address))
    await expect.poll(() => ofAddress().length, { timeout: 10_000 }).toBe(before + 1)
    const [text = ''] = readParts(ofAddress().at(-1) ?? expect.fail('no mail'))
    expect(text).not.toMatch(/https?:|\/secret\//)
    return /\b(\d{8})\b/.exec(text)?.[1] ?? expect.fail(text)
  }

  test('SEC-56: the sender names a recipient, who opens the link with the code from the mailbox', async () => {
    const sender = await fixture.newVisitor()
    await sender.goto('/')
    await sender.getByLabel('Your secret').fill(TEXT)
    await sender.getByText('More options').click()
    await sender.getByLabel('Only for').fill('anna@example.org, bob@example.org')
    expect(await sender.getByRole('textbox', { name: 'Views' }).inputValue()).toBe('2')
    await sender.getByRole('button', { name: 'Create link' }).click()
    const box = sender.locator('.link-box').first()
    await box.waitFor()
    await sender.getByText('anna@example.org').waitFor()
    const link = (await box.textContent()) ?? ''

    const reader = await fixture.newVisitor()
    await reader.goto(link)
    await reader.getByLabel('Your e-mail address').fill('Anna@Example.org')
    await reader.keyboard.press('Enter')
    await reader.getByText('a code is on its way').waitFor()
    const code = await codeOf('anna@example.org', 0)
    const field = reader.getByLabel('Code from the e-mail')
    expect(await field.evaluate((input) => input.matches(':focus'))).toBe(true)
    expect(await field.getAttribute('inputmode')).toBe('numeric')
    await field.fill(code === '00000000' ? '00000001' : '00000000')
    await reader.keyboard.press('Enter')
    await reader.getByText('The code is wrong or has expired.').waitFor()
    await field.fill(code)
    await reader.keyboard.press('Enter')
    await reader.getByText('Your secret').first().waitFor()
    await reader.getByText(TEXT).waitFor()
    // A stranger with the link, but without the mailbox.
    const stranger = await fixture.newVisitor()
    await stranger.goto(link)
    await stranger.getByLabel('Your e-mail address').fill('eve@example.org')
    await stranger.getByRole('button', { name: 'Send code' }).click()
    await stranger.getByText('a code is on its way').waitFor()
    expect(mailServer.mails.filter(({ to }) => to.includes('eve@example.org'))).toEqual([])
  })

  test('SEC-56: the sender sees in the list of secrets which recipient opened one', async () => {
    const sender = await fixture.newVisitor()
    await signUp(sender, fixture)
    await sender.goto('/')
    await sender.getByLabel('Your secret').fill(TEXT)
    await sender.getByText('More options').click()
    await sender.getByLabel('Only for').fill('olga@example.org, paul@example.org')
    await sender.getByRole('button', { name: 'Create link' }).click()
    const link = (await sender.locator('.link-box').first().textContent()) ?? ''
    const env = { MAYFLY_SERVER: fixture.url }
    await run(['secret', 'read', '--email', 'paul@example.org', link], { env })
    const code = await codeOf('paul@example.org', 0)
    expect((await run(['secret', 'read', '--code', code, link], { env })).code).toBe(0)
    await sender.goto('/account/secrets')
    await sender.getByRole('button', { name: /^Details of/ }).click()
    const rows = sender.getByRole('dialog').locator('tbody tr')
    await rows.first().waitFor()
    expect(await rows.allInnerTexts()).toMatchObject(
      [/1\s+.*Not opened yet/s, /2\s+.*1/s].map((text) => expect.stringMatching(text)),
    )
  })

  test('SEC-56: a recipient opens the link on the lite page, with a password and a code', async () => {
    const env = { MAYFLY_SERVER: fixture.url }
    const options = ['--to', 'lena@example.org', '--password-fd', '0', '--text', TEXT]
    const created = await run(['secret', 'create', ...options], { stdin: 'пароль', env })
    const link = created.stdout.toString().trim()
    const page = await fixture.newVisitor()
    await page.goto(link.replace('/secret/', '/lite/'))
    await page.getByText('The sender chose who can open this.').waitFor()
    expect(await page.getByRole('button', { name: 'Reveal secret' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Send code' }).click()
    await page.locator('#email:focus').fill('lena')
    await page.keyboard.press('Enter')
    await page.locator('#email:focus').fill('Lena@example.org')
    await page.keyboard.press('Enter')
    await page.getByText('a code is on its way').waitFor()
    const code = await codeOf('lena@example.org', 0)
    await page.locator('#code:focus').fill('00000000')
    await page.getByLabel('Password').fill('пароль')
    await page.getByRole('button', { name: 'Reveal secret' }).click()
    await page.getByText('The code is wrong or has expired.').waitFor()
    await page.getByLabel('Code from the e-mail').fill('')
    await page.keyboard.press('Enter')
    await page.getByText('Enter the code from the e-mail.').waitFor()
    await page.getByLabel('Code from the e-mail').fill(`${code.slice(0, 4)} ${code.slice(4)}`)
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('#secret').inputValue()).toBe(TEXT)
    const peeked = await run(['secret', 'read', '--peek', link], { env })
    expect(peeked.code).toBe(3)
  })

  test('SEC-56: the lite page says when a secret is locked, and a code of a used-up link opens nothing', async () => {
    const env = { MAYFLY_SERVER: fixture.url }
    const created = await run(['secret', 'create', '--to', 'mia@example.org'], { stdin: TEXT, env })
    const link = created.stdout.toString().trim()
    const page = await fixture.newVisitor()
    await page.goto(link.replace('/secret/', '/lite/'))
    await page.getByLabel('Your e-mail address').fill('mia@example.org')
    await page.getByRole('button', { name: 'Send code' }).click()
    const code = await codeOf('mia@example.org', 0)
    for (let attempt = 0; attempt < 10; attempt++)
      await run(['secret', 'read', '--code', code === '00000000' ? '00000001' : '00000000', link], { env })
    await page.getByLabel('Code from the e-mail').fill(code)
    await page.keyboard.press('Enter')
    await page.getByText('Too many wrong attempts. The secret is locked.').waitFor()
  })

  test('SEC-56: secret create --to and secret read with --email and --code in a pipe', async () => {
    const env = { MAYFLY_SERVER: fixture.url }
    const created = await run(['secret', 'create', '--to', 'zoe@example.org', '--to', 'yan@example.org'], {
      stdin: TEXT,
      env,
    })
    expect(created.stderr).toContain('opens 2 times')
    const link = created.stdout.toString().trim()
    const asked = await run(['secret', 'read', '--email', 'zoe@example.org', link], { env })
    expect([asked.code, asked.stdout.toString()]).toEqual([5, ''])
    const code = await codeOf('zoe@example.org', 0)
    const wrong = await run(['secret', 'read', '--code', code === '00000000' ? '00000001' : '00000000', link], { env })
    expect([wrong.code, wrong.stdout.toString()]).toEqual([5, ''])
    const read = await run(['secret', 'read', '--code', '-', link], { env, stdin: `${code}\n` })
    expect([read.code, read.stdout.toString()]).toEqual([0, TEXT])
    const peeked = await run(['secret', 'read', '--peek', '--json', link], { env })
    expect(JSON.parse(peeked.stdout.toString())).toMatchObject({ requires_code: true, views_left: 1 })
  })
})
