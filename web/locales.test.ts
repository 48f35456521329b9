/** Every language has the legal texts and exactly the keys that the app uses, with all plural forms. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { ERRORS } from '#core'
import { PROBLEMS } from '#core/runtime'
import { choicesOf, isFlag, SETTING_NAMES } from '#shared/instance-settings'

const WEB = import.meta.dirname
const LANGUAGES = readdirSync(join(WEB, 'locales')).map((name) => name.replace('.json', ''))
const PLURAL = /_(zero|one|two|few|many|other)$/
const BIDI_OR_MARKUP = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069<>]/

/** A language may lack the texts of a new setting: the build adds the English ones. */
const SETTING_TEXT = new RegExp(`^admin:settings\\.(${SETTING_NAMES.join('|')})\\.`)

type Words = Map<string, string>

const words = Object.fromEntries(LANGUAGES.map((language) => [language, readWords(language)]))
const english = words.en as Words

/** English term -> keys of the texts that mean the thing. Elsewhere, a request is a verb or one of HTTP. */
const TERM_KEYS = { secret: /./, link: /./, request: /^(requests|receipt):/, submission: /./, receipt: /./ }

/** In a longer text, a pronoun may stand for the word. */
const PRONOUN_TERMS = ['secret', 'link']
const MAX_LENGTH = 45

/** The common part of words that change inside when inflected. */
const STEMS: Record<string, string> = { 'ar link': 'ابط', 'hu secret': 'tit', 'sw link': 'iungo', 'tr secret': 'gizli' }

/** `language term key` of texts that say the same without the word. */
const OTHER_WORDS = [
  / secret webhooks:/, // A signing secret is a key.
  // The word says "hidden", but a public secret is not.
  /^tr secret (public:|compose:not-when-public|reveal:closed.public-heading)/,
  /^th submission requests:respond.left$/, // "How many can still be sent".
]

test('there are languages and texts to check', () => {
  expect(LANGUAGES).toContain('en')
  expect(LANGUAGES.length).toBeGreaterThan(1)
  expect(english.size).toBeGreaterThan(150)
})

describe.each(LANGUAGES)('%s', (language) => {
  const own = words[language] as Words
  const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories

  test('has the keys of English with its own plural forms', () => {
    const expected = [...english.keys()].flatMap((key) => {
      const [base] = key.split(PLURAL)
      return PLURAL.test(key) ? categories.map((category) => `${base}_${category}`) : [key]
    })
    const isOptional = (key: string) => SETTING_TEXT.test(key) && !own.has(key)
    expect([...own.keys()].sort()).toEqual([...new Set(expected)].filter((key) => !isOptional(key)).sort())
  })

  test('has the same placeholders; only a count may be spelled out', () => {
    const namesOf = (key: string, text: string) =>
      blanks(text).filter((blank) => !(PLURAL.test(key) && blank === 'count, number'))
    const modelOf = (key: string) => english.get(key) ?? english.get(key.replace(PLURAL, '_other')) ?? ''
    const keys = [...own.keys()]
    expect(keys.map((key) => [key, ...namesOf(key, own.get(key) ?? '')])).toEqual(
      keys.map((key) => [key, ...namesOf(key, modelOf(key))]),
    )
  })

  test('has no markup, no control characters and no stray spaces', () => {
    const isClean = (text: string) => !BIDI_OR_MARKUP.test(text) && text === text.trim() && text !== ''
    expect([...own].filter(([, text]) => !isClean(text))).toEqual([])
  })

  test.each(['privacy', 'terms'])('has the text %s with the structure of the English one', (name) => {
    const built = (of: string) => {
      const text = readFileSync(join(WEB, `legal/${of}/${name}.md`), 'utf8')
      return [...(text.match(/^(?:#+ |- |<!-- changed .* -->$)/gm) ?? []), ...blanks(text)]
    }
    expect(built(language)).toEqual(built('en'))
  })
})

test.each(['es', 'fr', 'it', 'pt-BR', 'pt-PT'])(
  '%s has no preposition between a count in digits and its noun',
  (language) => {
    const texts = [...(words[language] as Words).values()]
    expect(texts.filter((text) => /\{\{count, number\}\} (?:de |di |d’|d')/.test(text))).toEqual([])
  },
)

test('every key is used, and every used key exists', () => {
  const used = usedWords()
  const exact = used.filter((key) => !key.endsWith('*'))
  const starts = used.filter((key) => key.endsWith('*')).map((key) => key.slice(0, -1))
  const there = new Set([...english.keys()].map((key) => key.replace(PLURAL, '')))
  // index.html names a group of texts.
  const isGroup = (key: string) => [...there].some((each) => each.startsWith(`${key}.`))
  expect(exact.filter((key) => !there.has(key) && !isGroup(key))).toEqual([])
  expect(starts.filter((start) => ![...there].some((key) => key.startsWith(start)))).toEqual([])
  expect([...there].filter((key) => !exact.includes(key) && !starts.some((start) => key.startsWith(start)))).toEqual([])
  expect(exact.length).toBeGreaterThan(120)
})

test('every setting has a label, a hint and its choices', () => {
  const names = SETTING_NAMES.filter((name) => isFlag(name) || choicesOf(name))
  const texts = names.flatMap((name) => ['label', 'hint', ...(choicesOf(name) ?? [])].map((part) => `${name}.${part}`))
  expect(texts.filter((text) => !english.has(`admin:settings.${text}`))).toEqual([])
})

test('every error code of the server has a text', () => {
  expect(Object.keys(ERRORS).filter((code) => !english.has(`common:errors.${code}`))).toEqual([])
})

test('every problem of an instance has a text, with values that the server sends', () => {
  const texts = Object.keys(PROBLEMS).map((code) => [code, english.get(`admin:problems.${code}`)] as const)
  expect(texts.filter(([, text]) => text === undefined)).toEqual([])
  for (const [code, text = ''] of texts) {
    const sent = blanks(PROBLEMS[code as keyof typeof PROBLEMS].join())
    expect(
      blanks(text).filter((blank) => !sent.includes(blank)),
      code,
    ).toEqual([])
  }
})

describe('the table of words', () => {
  const table = readFileSync(join(WEB, '../docs/translating.md'), 'utf8').matchAll(
    /^\| ([a-z]{2,3}(?:-\w+)?) \| (.+) \|$/gm,
  )
  const glossary = new Map([...table].map(([, language = '', terms = '']) => [language, terms.split(' | ')]))
  const terms = glossary.get('en') ?? []

  test('has each language, with words that its texts use', () => {
    expect(terms).toEqual(expect.arrayContaining(Object.keys(TERM_KEYS)))
    expect([...glossary.keys()].sort()).toEqual([...LANGUAGES].sort())
    for (const [language, own] of glossary) {
      const texts = [...(words[language] as Words).values()].join().toLowerCase()
      expect(own, language).toHaveLength(7)
      expect(own.filter((term) => !texts.includes(term.toLowerCase()))).toEqual([])
    }
  })

  test.each(LANGUAGES)('%s uses its word where the English text does', (language) => {
    const other: string[] = []
    for (const [term, keys] of Object.entries(TERM_KEYS)) {
      const stem = STEMS[`${language} ${term}`] ?? stemOf(glossary.get(language)?.[terms.indexOf(term)] ?? '')
      const word = new RegExp(`\\b${term}s?\\b`, 'i')
      for (const [key, text] of english) {
        const own = words[language]?.get(key)
        if (own === undefined || !keys.test(key) || !word.test(text)) continue
        if (text.length > MAX_LENGTH && PRONOUN_TERMS.includes(term)) continue
        const name = `${language} ${term} ${key}`
        if (!plain(own).includes(stem) && !OTHER_WORDS.some((each) => each.test(name))) other.push(`${name}: ${own}`)
      }
    }
    expect(other).toEqual([])
  })
})

test('no translation is older than its English text', () => {
  const { stderr } = spawnSync(process.execPath, [join(WEB, '../scripts/locales.mjs')], { encoding: 'utf8' })
  expect(stderr).toBe('')
})

/** `namespace:key` -> text. */
function readWords(language: string): Words {
  const found: Words = new Map()
  const walk = (at: string, value: unknown) => {
    if (typeof value === 'string') found.set(at, value)
    else
      for (const [key, below] of Object.entries(value as object))
        walk(at.endsWith(':') ? at + key : `${at}.${key}`, below)
  }
  const texts: object = JSON.parse(readFileSync(join(WEB, `locales/${language}.json`), 'utf8'))
  for (const [namespace, each] of Object.entries(texts)) walk(`${namespace}:`, each)
  return found
}

/** Without case and accents: Greek moves the accent. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')

/** The start of a word, without the end that inflection changes. */
const stemOf = (term: string): string => plain(term).replace(/^(.{4,}).{2}$|^(.{3,4}).$/s, '$1$2')

const blanks = (text: string): string[] => [...text.matchAll(/\{\{(.+?)\}\}/g)].map(([, name = '']) => name).sort()

/** `namespace:key` of every call of `t`, `namespace:start*` for computed keys, and the keys in the HTML files. */
function usedWords(): string[] {
  const page = ['index.html', 'lite.html'].map((name) => readFileSync(join(WEB, name), 'utf8')).join()
  const sources = readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.tsx?$/.test(name) && !/\.test\.ts$/.test(name),
  )
  return [
    ...[...page.matchAll(/\{\{([\w-]+:[\w.-]+)\}\}/g)].map(([, key = '']) => key),
    ...sources.flatMap((name) => usedIn(name, readFileSync(join(WEB, name), 'utf8'))),
  ]
}

function usedIn(name: string, source: string): string[] {
  const namespaces = new Set(
    [...source.matchAll(/useTranslation\((?:'([\w-]+)')?\)/g)].map(([, found = 'common']) => found),
  )
  expect(namespaces.size, `${name}: one namespace a file`).toBeLessThan(2)
  const [namespace = 'common'] = namespaces
  const found: string[] = []
  if (!/\bt\(/.test(source)) return found
  const visit = (node: ts.Node): void => {
    if (
      ts.isCallExpression(node) &&
      ts.isIdentifier(node.expression) &&
      node.expression.text === 't' &&
      node.arguments[0]
    ) {
      found.push(...keysIn(node.arguments[0], name).map((key) => (key.includes(':') ? key : `${namespace}:${key}`)))
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX))
  return found
}

/** A key, both keys of a condition, or the start of a computed key. */
function keysIn(node: ts.Expression, name: string): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text]
  if (ts.isConditionalExpression(node)) return [...keysIn(node.whenTrue, name), ...keysIn(node.whenFalse, name)]
  if (ts.isTemplateExpression(node)) return [`${node.head.text}*`]
  throw new Error(`${name}: t(${node.getText()}) cannot be checked`)
}
