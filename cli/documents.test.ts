import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { filesEnding } from '#test/source-files'
import { CATALOG } from './program.js'
import { GLOBAL_FLAGS, listEntries } from './reference/command-table.js'
import { TOPICS } from './reference/help-topics.js'

test('links and test names in the docs exist', () => {
  const root = join(import.meta.dirname, '..')
  const pages = [
    'README.md',
    ...readdirSync(join(root, 'docs'))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ]
  const lost = pages.flatMap((page) => {
    const text = readFileSync(join(root, page), 'utf8').replace(/^```[\s\S]*?^```$/gm, '')
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, to = '']) => join(root, page, '..', to))
    const tests = [...text.matchAll(/`(\w[\w/.-]*\/[\w.-]*\.test\.ts)`/g)].map(([, path = '']) => join(root, path))
    return [...links, ...tests].filter((path) => !existsSync(path)).map((path) => `${page}: ${path}`)
  })
  expect(lost).toEqual([])
})

/** Each call of `mayfly` in a piece of shell, with the words and flags that it is given, values left out. */
function callsIn(code: string): string[] {
  const text = code.replace(/\\?\n\s*/g, (end) => (end.startsWith('\\') ? ' ' : '\n')).replace(/(^|\s)# .*$/gm, '')
  return text.split(/[|;&()\n"`]/).flatMap((part) => {
    const [, call] =
      /(?:^|\s)mayfly((?: (?!--(?: |$))\S+)+)/.exec(part.replace(/(-[ut]|name|exec|install) mayfly\b/g, '')) ?? []
    return call === undefined ? [] : call.trim()
  })
}

test('commands and flags in docs, help and examples exist', () => {
  const root = join(import.meta.dirname, '..')
  const all = listEntries(CATALOG)
  const pages = filesEnding('.md', '.yaml', '.service').filter((path) => /^(README|docs\/(?!decisions))/.test(path))
  const texts = [
    ...pages.map((path) => [path, readFileSync(join(root, path), 'utf8')] as const),
    ...Object.entries(TOPICS),
    ...CATALOG.commands.flatMap(({ name, examples }) => examples.map(([, line]) => [name, line] as const)),
  ]
  const calls = texts.flatMap(([place, text]) => {
    const spans = [...text.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/`(mayfly [^`]*)`/g)].map(([, span = '']) =>
      span.replaceAll('\n', ' '),
    )
    const blocks = place.endsWith('.md')
      ? [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)
      : [text]
    return [...spans, ...blocks].flatMap(callsIn).map((call) => ({ place, call }))
  })
  const wrong = calls.filter(({ call }) => {
    const words = call.split(/\s+/)
    const found = all.filter(({ path }) => path === words.slice(0, path.split(' ').length).join(' ')).at(-1)
    const flags = words.flatMap((word) => /^--?[a-z][a-z-]*/.exec(word)?.[0] ?? [])
    if (!found) return !/^(-|\.\.\.|[A-Z])/.test(call)
    const known = [...found.flags, ...GLOBAL_FLAGS].flatMap(({ names }) => names)
    return flags.some((flag) => !known.includes(flag))
  })
  expect(wrong).toEqual([])
  expect(calls.length).toBeGreaterThan(150)
})
