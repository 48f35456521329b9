import { expect, test } from 'vitest'
import { parseSessionCookie } from './session-cookie.js'

const cookie = (shown: object) => Buffer.from(JSON.stringify(shown)).toString('base64')
const alice = cookie({ username: 'alice', expirationDate: '2026-11-21T12:00:00.000Z' })
const expected = { username: 'alice', endsAt: Date.UTC(2026, 10, 21, 12) }

test.each([
  [`public=${alice}`, expected],
  [`a=b; __Host-public=${alice}; c=d`, expected],
  ['', null],
  [`notpublic=${alice}`, null],
  ['public=', null],
  ['public=%%%', null],
  [`public=${cookie({ username: 'alice' })}`, null],
  [`public=${cookie({ username: 7, expirationDate: '2026-11-21T12:00:00.000Z' })}`, null],
  [`public=${cookie(['alice'])}`, null],
])('parseSessionCookie reads %s', (cookies, session) => {
  expect(parseSessionCookie(cookies)).toEqual(session)
})
