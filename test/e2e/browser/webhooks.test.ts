/** The webhooks of a user, from the form to the delivery log, on a running server. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { postJson, signUp } from '#test/browser/accounts'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { submitForm, waitForDialog } from '#test/browser/page-actions'
import { needs } from '#test/needs'

/** Nothing listens there. */
const URL_OF_RECEIVER = 'https://127.0.0.1:9/ä'

describe('webhooks', needs('chromium'), () => {
  let fixture: BrowserFixture
  beforeAll(async () => {
    const env = {
      MAYFLY_PLUGINS: 'web,webhook',
      MAYFLY_WEBHOOK_USER_TARGETS: 'true',
      MAYFLY_WEBHOOK_USER_TARGETS_ALLOW: '127.0.0.1',
    }
    fixture = await startBrowserFixture({ env })
  })
  afterAll(() => fixture.close())

  test('a user adds a webhook, sends a test, reads the delivery log, delivers again and deletes it', async () => {
    const page = await fixture.newVisitor()
    await signUp(page, fixture)
    await page.goto('/account')
    await page.getByRole('link', { name: 'Webhooks' }).click()
    await page.getByRole('button', { name: 'New webhook' }).click()
    await page.getByLabel('Name').fill('Empfänger ☃')
    await page.getByLabel('URL').fill('https://10.0.0.1/')
    await submitForm(page)
    await page.getByText('Enter an https address of a public server.').waitFor()
    await page.getByLabel('URL').fill(URL_OF_RECEIVER)
    const requests = page.getByRole('group', { name: 'Requests', exact: true })
    await requests.getByLabel('All events').check()
    expect(await requests.getByRole('checkbox', { checked: true }).count()).toBe(6)
    await requests.getByLabel('Request closed').uncheck()
    expect(await requests.getByLabel('All events').isChecked()).toBe(false)
    await page.getByLabel('Secret created').check()
    await submitForm(page)
    await page.getByText('Empfänger ☃ was created.').waitFor()
    expect(await page.locator('.link-box').first().textContent()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    await page.getByRole('button', { name: 'Done' }).click()
    await expect.poll(() => page.getByText('whsec_').count()).toBe(0)
    const { height = 0 } = (await page.getByText(URL_OF_RECEIVER, { exact: true }).boundingBox()) ?? {}
    expect(height, 'one line of the facts').toBeLessThan(30)

    const focused = page.locator('section:focus', { hasText: 'Empfänger ☃ has a new signing secret.' })
    const secrets = new Set<string | null>()
    for (const _ of [1, 2]) {
      await page.getByRole('button', { name: 'New signing secret' }).click()
      await waitForDialog(page)
      await page.locator('dialog[open] .primary').click()
      await expect.poll(async () => !secrets.has(await focused.locator('.link-box').textContent())).toBe(true)
      secrets.add(await focused.locator('.link-box').textContent())
    }
    await page.getByRole('button', { name: 'Send test' }).click()
    await page.getByText("Empfänger ☃ couldn't be reached.").waitFor()
    await postJson(page, fixture, '/secret', { text: 'geheim ☃', ttl: 3600 })
    await page.getByRole('link', { name: 'Deliveries' }).click()
    // A reload before the page has changed would stay on the old one.
    await page.getByRole('heading', { name: 'Deliveries', level: 1 }).waitFor()
    await expect
      .poll(async () => {
        await page.reload()
        await page.getByRole('heading', { name: 'Deliveries', level: 1 }).waitFor()
        return page.locator('tbody tr').allTextContents()
      })
      .toEqual([expect.stringContaining("Couldn't reach the server.")])
    await page.getByRole('button', { name: 'Deliver again: Secret created' }).click()
    await page.getByText('The event will be delivered again soon.').waitFor()

    await page.getByRole('link', { name: 'All webhooks' }).click()
    await page.getByText('Failing').waitFor()
    await page.getByRole('button', { name: 'Delete Empfänger ☃' }).click()
    await waitForDialog(page)
    await page.locator('dialog[open] .danger').click()
    await page.getByText('Empfänger ☃ was deleted.').waitFor()
    await page.getByText('You have no webhooks.').waitFor()
    expect(fixture.takeErrors()).toEqual([])
  })

  test('"Notify me" is on the form as soon as the user has a webhook, and as long', async () => {
    const page = await fixture.newVisitor()
    await signUp(page, fixture)
    const countOnForm = async () => {
      await page.locator('a.logo').click()
      await page.getByLabel('Your secret').waitFor()
      // It stays open.
      if ((await page.locator('details[open]').count()) === 0) await page.locator('summary').click()
      await page.getByLabel('Create a receipt').waitFor()
      return page.getByLabel('Notify me').count()
    }
    await page.goto('/account/webhooks')
    expect(await countOnForm()).toBe(0)
    await page.goBack()
    await page.getByRole('button', { name: 'New webhook' }).click()
    await page.getByLabel('Name').fill('Empfänger ☃')
    await page.getByLabel('URL').fill(URL_OF_RECEIVER)
    await submitForm(page)
    await page.getByRole('button', { name: 'Done' }).click()
    expect(await countOnForm()).toBe(1)
    await page.getByText('Your webhooks get an event when the secret is opened').waitFor()
    await page.getByLabel('Notify me').check()
    await page.goBack()
    await page.getByRole('button', { name: 'Delete Empfänger ☃' }).click()
    await waitForDialog(page)
    await page.locator('dialog[open] .danger').click()
    await page.getByText('You have no webhooks.').waitFor()
    expect(await countOnForm()).toBe(0)
    // The form does not send the earlier choice of notifications.
    await page.getByLabel('Your secret').fill('geheim ☃')
    await page.getByRole('button', { name: 'Create link' }).click()
    await page.locator('.link-box').first().waitFor()
    expect(fixture.takeErrors()).toEqual([])
  })
})
