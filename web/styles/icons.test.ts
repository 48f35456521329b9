/** Every icon needs its class: without it, the icon is a filled square. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const read = (path: string) => readFileSync(join(import.meta.dirname, path), 'utf8')
const find = (text: string, pattern: RegExp) => Array.from(text.matchAll(pattern), ([, name]) => name)

test('every name of an icon has a class with its picture', () => {
  const names = find(read('../components/Icon.tsx'), /^ {2}\| '([\w-]+)'$/gm)
  expect(names.length).toBeGreaterThan(20)
  expect(find(read('icons.css'), /^\.icon-([\w-]+) \{\n {2}-webkit-mask-image: url\(/gm)).toEqual(names)
})
