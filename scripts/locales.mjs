// Lists translations that are older than their English text, see docs/translating.md. With `--checked`, records that
// the given languages, or all, were checked against the English texts of today.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
/** Key -> hash of the English text that the translations were made from, per language where they differ. */
const RECORD = join(ROOT, 'web/translated-from.json')
const PLURAL = /_(one|other)$/

const read = (path) => readFileSync(join(ROOT, path), 'utf8')
const languages = readdirSync(join(ROOT, 'web/locales'))
  .map((name) => name.replace('.json', ''))
  .filter((name) => name !== 'en')
const english = readEnglish()
let recorded = JSON.parse(readFileSync(RECORD, 'utf8'))

const [flag, ...chosen] = process.argv.slice(2)
if ((flag && flag !== '--checked') || chosen.some((name) => !languages.includes(name))) {
  process.stderr.write(`usage: npm run locales [-- --checked [language...]], languages: ${languages.join(' ')}\n`)
  process.exit(2)
}
if (flag) record(chosen.length > 0 ? chosen : languages)
process.exitCode = report()

/** The hash from which a text of a language was translated. */
function sourceOf(key, language) {
  const entry = recorded[key]
  return typeof entry === 'object' ? (entry[language] ?? entry['*']) : entry
}

/** Sets the hash of today for some languages. The others keep theirs. */
function record(checked) {
  const next = {}
  for (const [key, hash] of english) {
    const behind = languages.filter((name) => !checked.includes(name) && sourceOf(key, name) !== hash)
    const old = behind.map((name) => [name, sourceOf(key, name) ?? ''])
    next[key] = behind.length > 0 ? { '*': hash, ...Object.fromEntries(old) } : hash
  }
  recorded = next
  writeFileSync(RECORD, `${JSON.stringify(next, null, 2)}\n`)
}

/** Returns the exit code: 1 when something is older than its English. */
function report() {
  const isStale = (key, hash) => (name) => sourceOf(key, name) !== hash
  const stale = [...english].flatMap(([key, hash]) => {
    const behind = languages.filter(isStale(key, hash))
    return behind.length > 0
      ? [`${key}: ${behind.length === languages.length ? 'all languages' : behind.join(' ')}`]
      : []
  })
  const deleted = Object.keys(recorded).filter((key) => !english.has(key))
  if (stale.length + deleted.length === 0) return 0
  process.stderr.write(
    [
      'English texts that are new or changed since they were translated:',
      ...stale,
      ...deleted.map((key) => `${key}: deleted`),
      '',
      'Translate them. Then run: npm run locales -- --checked',
      '',
    ].join('\n'),
  )
  return 1
}

/** `namespace:key` of the page, `smtp:key` of e-mails, `legal:name` -> hash of the English text. Plurals have one. */
function readEnglish() {
  const texts = new Map()
  const add = (key, text) => texts.set(key, texts.has(key) ? `${texts.get(key)}\n${text}` : text)
  const walk = (at, value) => {
    if (typeof value === 'string') add(at.replace(PLURAL, ''), value)
    else for (const [key, below] of Object.entries(value)) walk(at.endsWith(':') ? at + key : `${at}.${key}`, below)
  }
  for (const [namespace, each] of Object.entries(JSON.parse(read('web/locales/en.json')))) walk(`${namespace}:`, each)
  walk('smtp:', JSON.parse(read('plugins/smtp/locales/en.json')))
  for (const name of readdirSync(join(ROOT, 'web/legal/en'))) add(`legal:${name}`, read(`web/legal/en/${name}`))
  const shortHash = (text) => createHash('sha256').update(text).digest('hex').slice(0, 8)
  return new Map([...texts].map(([key, text]) => [key, shortHash(text)]))
}
