import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LinkError } from './link.js'
import { parseCollectLink, parseRequestLink } from './request-link.js'

const { vectors } = JSON.parse(readFileSync(new URL('./request-vectors.json', import.meta.url), 'utf8'))
const BASE = 'https://secrets.example.org/mayfly'
const ID = 'AAECAwQFBgcICQoLDA0ODw'
const SHARE: string = vectors[0].share_fragment
const COLLECT: string = vectors[0].collect_fragment

const problemOf = (run: () => unknown): unknown => {
  try {
    run()
    return 'none'
  } catch (error) {
    return error instanceof LinkError ? error.problem : error
  }
}

test('base and id are those of the link, also after a messenger changed it', () => {
  const place = { base: BASE, id: ID }
  expect(parseRequestLink(`<${BASE}/request/${ID}#${SHARE}>\n`)).toMatchObject(place)
  expect(parseRequestLink(`${BASE}/request/${ID}/#${SHARE.replace('1', '%31')}`)).toMatchObject(place)
  expect(parseCollectLink(` ${BASE}/collect/${ID}#${COLLECT} `)).toMatchObject(place)
})

test.each([
  ['', 'not-a-link'],
  ['hé', 'not-a-link'],
  [`${BASE}/request/short#${SHARE}`, 'not-a-link'],
  [`${BASE}/request/${ID}~${COLLECT.slice(1, 44)}#${SHARE}`, 'not-a-link'],
  [`${BASE}/secret/${ID}#${SHARE}`, 'not-a-link'],
  [`${BASE}/collect/${ID}#${COLLECT}`, 'not-a-link'],
  [`${BASE}/request/${ID}#${COLLECT}`, 'incomplete'],
  [`${BASE}/request/${ID}`, 'incomplete'],
  [`${BASE}/request/${ID}#${SHARE.slice(0, -1)}`, 'incomplete'],
  [`${BASE}/request/${ID}#${SHARE.slice(0, 10)}-${SHARE.slice(11)}`, 'incomplete'],
  [`${BASE}/request/${ID}#2${SHARE.slice(1)}`, 'newer-version'],
])('parseRequestLink rejects %j as %s', (link, problem) => {
  expect(problemOf(() => parseRequestLink(link))).toBe(problem)
})

test('the error names the kind of link that was given', () => {
  expect(() => parseRequestLink(`${BASE}/collect/${ID}#${COLLECT}`)).toThrow('a request link is needed')
  expect(() => parseCollectLink(`${BASE}/request/${ID}#${SHARE}`)).toThrow('a collect link is needed')
})
