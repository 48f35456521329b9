import { expect, test } from 'vitest'
import { isSafeUrl } from '#shared/page/safe-url'
import type { RichNode } from '#shared/rich-text'
import { markdownToRichText } from './markdown-to-rich-text.js'

const content = (markdown: string) => markdownToRichText(markdown, { product: '*Acme* <b>' }).content
const all = (nodes: RichNode[]): RichNode[] =>
  nodes.flatMap((node) => (typeof node === 'string' ? [node] : [node, ...all(node.children)]))
const text = (nodes: RichNode[]) =>
  all(nodes)
    .filter((node) => typeof node === 'string')
    .join('')

test('converts headings, lists, links, emphasis and code', () => {
  const markdown =
    '# Ours\n\n<!-- changed 2026-02-03 -->\n\n## One\n\n- a *b*\n- [c](https://example.org/)\n\n1. `d`\n\n> e\n\n```\nf\n```\n\n---\n'
  expect(markdownToRichText(markdown, {})).toEqual({
    title: 'Ours',
    changed: Date.UTC(2026, 1, 3),
    content: [
      { tag: 'h2', children: ['One'] },
      {
        tag: 'ul',
        children: [
          { tag: 'li', children: ['a ', { tag: 'em', children: ['b'] }] },
          { tag: 'li', children: [{ tag: 'a', href: 'https://example.org/', children: ['c'] }] },
        ],
      },
      { tag: 'ol', children: [{ tag: 'li', children: [{ tag: 'code', children: ['d'] }] }] },
      { tag: 'blockquote', children: [{ tag: 'p', children: ['e'] }] },
      { tag: 'pre', children: ['f'] },
      { tag: 'hr', children: [] },
    ],
  })
})

test('title and date are null when they are missing', () => {
  expect(markdownToRichText('just words', {})).toEqual({
    title: null,
    changed: null,
    content: [{ tag: 'p', children: ['just words'] }],
  })
})

test('placeholder values are inserted as plain text', () => {
  expect(content('{{product}} and {{other}}')).toEqual([{ tag: 'p', children: ['*Acme* <b> and {{other}}'] }])
})

test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  'a <b onclick="x">b</b> c',
  '<!-- a comment -->',
])('HTML %s is shown as text', (markdown) => {
  expect(text(content(markdown))).toBe(markdown)
  expect(all(content(markdown)).every((node) => typeof node === 'string' || node.tag === 'p')).toBe(true)
})

test.each([
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](<java\tscript:alert(1)>)',
  '[x](data:text/html,x)',
  '[x](vbscript:x)',
  '[x](//canary.example/x)',
  '[x](\\\\canary.example)',
  '[x](blob:https://canary.example/x)',
  '<javascript:alert(1)>',
  '[x][1]\n\n[1]: javascript:alert(1)',
])('SEC-02: %s does not become a link', (markdown) => {
  expect(all(content(markdown)).filter((node) => typeof node !== 'string' && node.tag === 'a')).toEqual([])
})

test('images become their alternative text', () => {
  expect(content('![words](https://canary.example/x)')).toEqual([{ tag: 'p', children: ['words'] }])
})

test.each(['https://example.org', 'http://example.org/x', 'mailto:a@example.org', '/terms', 'terms', '#part', '?a=b'])(
  'isSafeUrl accepts %s',
  (href) => {
    expect(isSafeUrl(href)).toBe(true)
  },
)
