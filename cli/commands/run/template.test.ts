/** Places in templates: recognized, ignored and refused text. */
import { expect, test } from 'vitest'
import { formatFragment, formatLink } from '#shared/link'
import { fillTemplate, parseTemplate } from './template.js'

const linkTo = (digit: string) =>
  formatLink(`https://secrets.example.org/secret/${digit.repeat(21)}A`, formatFragment(new Uint8Array(32)))
const LINK = linkTo('b')
const parse = (text: string | Buffer) => parseTemplate(Buffer.from(text))

test('places have their link and line, and everything else stays byte for byte', async () => {
  const before = Buffer.from([0xff, 0xfe, 0, 0x0a])
  const rest = `{{mayfly:${linkTo('c')}}}{{ .Values.x }}{{ mayfly }} {{ mayfly.user }} ${LINK}\r\n`
  const template = Buffer.concat([before, Buffer.from(`ä: {{ mayfly:${LINK} }}\n`), Buffer.from(rest)])
  const places = await parse(template)
  expect(places.map(({ link, line }) => [link, line])).toEqual([
    [LINK, 2],
    [linkTo('c'), 3],
  ])
  const filled = fillTemplate(template, places, [Buffer.from('{{ mayfly:x }}'), Buffer.from([0, 0xff])])
  const expected = [before, Buffer.from('ä: {{ mayfly:x }}\n'), Buffer.from([0, 0xff])]
  expect(filled).toEqual(
    Buffer.concat([...expected, Buffer.from(`{{ .Values.x }}{{ mayfly }} {{ mayfly.user }} ${LINK}\r\n`)]),
  )
})

const REFUSED: [what: string, template: string, outcome: string, message: RegExp][] = [
  ['a template without a place', 'a: {{ .b }}\n', 'usage', /no place/],
  ['an empty template', '', 'usage', /no place/],
  ['a place without an end', `\n{{ mayfly:${LINK}`, 'usage', /^line 2: a place must be/],
  ['a place with one brace at its end', `{{ mayfly:${LINK} }`, 'usage', /^line 1: a place must be/],
  ['a place with a line break', `{{ mayfly:\n${LINK} }}`, 'usage', /^line 1: a place must be/],
  ['a place without a colon', `{{ mayfly ${LINK} }}`, 'usage', /^line 1: a place must be/],
  ['a place in capitals', `{{ MAYFLY:${LINK} }}`, 'usage', /^line 1: a place must be/],
  ['a place of a Helm template', `{{- mayfly:${LINK} }}`, 'usage', /^line 1: a place must be/],
  ['a place without a link', '{{ mayfly: }}', 'usage', /^line 1: a place must be/],
  ['a name instead of a link', '{{ mayfly:hunter2 }}', 'usage', /^line 1: this is not a link/],
  [
    'a damaged link',
    `\n\n{{ mayfly:${LINK.slice(0, -1)} }}`,
    'wrong_password',
    /^line 3: this link or key is incomplete/,
  ],
]
test.each(REFUSED)('%s is refused', async (_, template, outcome, message) => {
  const refused = await parse(template).catch((error) => error)
  expect(refused).toMatchObject({ name: 'CliError', outcome, message: expect.stringMatching(message) })
  expect(`${refused.message} ${refused.hint}`).not.toMatch(/hunter2|#1/)
})

test('a result that is too large is refused', async () => {
  const template = Buffer.from(`{{ mayfly:${LINK} }}`.repeat(5))
  const places = await parseTemplate(template)
  const value = Buffer.alloc(20 * 1024 * 1024)
  expect(() =>
    fillTemplate(
      template,
      places,
      places.map(() => value),
    ),
  ).toThrow(/larger than 64 MiB/)
})
