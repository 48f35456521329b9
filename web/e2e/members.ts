/** People with accounts, signed in the quick way: by the call, not by the form. */
import type { Page } from 'playwright-core'
import type { Stage } from './stage.js'

export const PASSWORD = 'amber-river-94'

let count = 0

/** Makes an account for this visitor, who is signed in from then on. Returns its username. */
export async function signUp(page: Page, stage: Stage): Promise<string> {
  const username = `member-${++count}`
  const answer = await page.request.post(`${stage.url}/api/v1/authentication/signup`, {
    headers: { origin: stage.url },
    data: { username, email: `${username}@example.org`, password: PASSWORD },
  })
  if (!answer.ok()) throw new Error(await answer.text())
  return username
}
