import { expect, test } from 'vitest'
import { findProxy } from './transport-options.js'

const PROXY = 'http://proxy.example:3128'

test.each([
  ['https://a.example.org', { HTTPS_PROXY: PROXY }, PROXY],
  ['https://a.example.org', { https_proxy: PROXY, HTTPS_PROXY: 'http://other' }, PROXY],
  ['https://a.example.org', { HTTPS_PROXY: 'proxy.example:3128' }, PROXY],
  ['https://a.example.org', { HTTP_PROXY: PROXY }, null],
  ['http://a.example.org', { HTTP_PROXY: PROXY }, PROXY],
  ['https://a.example.org', { HTTPS_PROXY: PROXY, NO_PROXY: '*' }, null],
  ['https://a.example.org', { HTTPS_PROXY: PROXY, NO_PROXY: 'x.org,example.org' }, null],
  ['https://a.example.org', { HTTPS_PROXY: PROXY, no_proxy: '.example.org' }, null],
  ['https://a.example.org', { HTTPS_PROXY: PROXY, no_proxy: '*.EXAMPLE.org' }, null],
  ['https://badexample.org', { HTTPS_PROXY: PROXY, NO_PROXY: 'example.org' }, PROXY],
  ['https://a.example.org:8443', { HTTPS_PROXY: PROXY, NO_PROXY: 'a.example.org:8443' }, null],
  ['https://a.example.org', { HTTPS_PROXY: PROXY, NO_PROXY: 'a.example.org:8443' }, PROXY],
  ['https://[::1]:8443', { HTTPS_PROXY: PROXY, NO_PROXY: '::1' }, null],
  ['https://[::1]:8443', { HTTPS_PROXY: PROXY, NO_PROXY: '[::1]' }, null],
  ['https://a.example.org', { HTTPS_PROXY: '', NO_PROXY: '' }, null],
])('%s with %j', (url, env, expected) => {
  expect(findProxy(new URL(url), env)?.origin ?? null).toBe(expected)
})

test.each(['socks5://proxy.example', 'http://'])('%s is not a proxy', (HTTPS_PROXY) => {
  expect(() => findProxy(new URL('https://a.example.org'), { HTTPS_PROXY })).toThrow('HTTPS_PROXY')
})
