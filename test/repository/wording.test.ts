/** Wording of comments and documents: the rules of CONTRIBUTING.md that a program can check. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { filesEnding, ROOT } from '#test/source-files'

const COLUMNS_MAX = 120
/** Between two words: spaces, or a line break with the marks of a comment. */
const GAP = String.raw`(?: +|\n[ */]*)`
const PHRASES = [
  String.raw`\b(?:that|those)${GAP}of\b`,
  String.raw`\bthose${GAP}that\b`,
  String.raw`(?<!\bthere${GAP})\b(?:is|are)${GAP}no${GAP}(?!longer\b|more\b|\w+ than\b)\w+`,
]

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

test('comments have at most 120 columns', () => {
  const long = filesEnding('.ts', '.tsx', '.css').flatMap((path) => {
    const lines = read(path).split('\n')
    return lines.flatMap((line, at) => (commentOf(line) && line.length > COLUMNS_MAX ? `${path}:${at + 1}` : []))
  })
  expect(long).toEqual([])
})

test('comments and documents name things instead of "that of", "those that" and "is no"', () => {
  const comments = filesEnding('.ts', '.tsx').flatMap((path) => findPhrases(path, commentsOf(read(path))))
  const documents = filesEnding('.md').flatMap((path) => findPhrases(path, read(path)))
  expect([...comments, ...documents]).toEqual([])
})

test('phrases are found in comments and across lines, but not in code', () => {
  const source = 'a = "that of"\t// those that\n/** A page is\n * no thing. There is no end of `that of`. */'
  expect(findPhrases('x.ts', commentsOf(source))).toEqual(['x.ts:1: those that', 'x.ts:2: is no thing'])
})

const commentOf = (line: string) => (/^\s*(\/?\*|\/\/)/.test(line) ? line : (/\s\/\/ .*$/.exec(line)?.[0] ?? ''))
const commentsOf = (source: string) => source.split('\n').map(commentOf).join('\n')

/** Each as `path:line: phrase`. Code in backticks does not count. */
function findPhrases(path: string, text: string): string[] {
  const prose = text.replace(/`[^`\n]*`/g, (code) => '`'.repeat(code.length))
  return [...prose.matchAll(new RegExp(PHRASES.join('|'), 'gi'))].map(({ 0: phrase, index }) => {
    const line = prose.slice(0, index).split('\n').length
    return `${path}:${line}: ${phrase.replace(/[\s*/]+/g, ' ')}`
  })
}
