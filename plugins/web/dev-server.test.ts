import { expect, test } from 'vitest'
import { hotUpdatePort } from './dev-server.js'

test('hotUpdatePort differs from the port of the server, and is below the ports of outgoing connections', () => {
  expect(hotUpdatePort('http://localhost:3000')).toBe(23_000)
  expect(hotUpdatePort('https://example.org')).toBe(20_443)
  for (let port = 1; port <= 65_535; port++) {
    const own = hotUpdatePort(`http://xn--mnchen-3ya.example:${port}`)
    expect(own !== port && own >= 8_000 && own < 32_768, String(port)).toBe(true)
  }
})
