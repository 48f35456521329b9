/** Steps of a device login in the user's browser. */

interface Account {
  username: string
  password: string
}

const CODE = /check that it shows the code ([A-Z]{4}-[A-Z]{4})/

/** The code in the output of `mayfly login`; undefined before it is there. */
export const findUserCode = (output: string): string | undefined => CODE.exec(output)?.[1]

/** Signs in and approves a device login, or denies it. Rejects if a request fails. */
export async function approveDevice(
  url: string,
  { username, password }: Account,
  code: string,
  approve = true,
): Promise<void> {
  const signedIn = await post(url, '/authentication/signin', { username, password }, '')
  const cookies = signedIn.headers.getSetCookie().map((each) => each.split(';')[0])
  await post(url, '/account/device', { code, approve }, cookies.join('; '))
}

async function post(url: string, path: string, body: object, cookie: string): Promise<Response> {
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie }
  const response = await fetch(`${url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response
}
