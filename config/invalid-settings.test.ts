/** Invalid settings stop the start. The error names the setting and never repeats its value. */
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { builtIns } from '#plugins'
import { coreSettings, envName, loadConfig } from './index.js'

const plugins = await Promise.all(Object.entries(builtIns).map(async ([name, load]) => ({ name, ...(await load()) })))
const sections: [string | null, z.ZodObject][] = [
  [null, coreSettings],
  ...plugins.map(({ name, default: plugin }): [string, z.ZodObject] => [name, plugin.options as z.ZodObject]),
]
const settings = sections.flatMap(([section, schema]) =>
  Object.entries<z.ZodType>(schema.shape).map(([option, field]) => ({
    section,
    schema,
    option,
    field,
    kind: typeof field.safeParse(undefined).data,
    variable: envName(section === null ? option : `${section}.${option}`),
  })),
)
const ofKind = (kind: string) => settings.filter((setting) => setting.kind === kind)

/** Problems reported for a section when one variable is set. */
function problemsOf({ section, schema, variable }: (typeof settings)[number], value: string): string[] {
  const config = loadConfig({ file: { path: '/nonexistent', required: false }, env: { [variable]: value }, flags: {} })
  return config.section(section, schema).problems.filter((problem) => problem.includes(`(${variable})`))
}

const JUNK = ['hunter2', ' true', 'true ', '"true"', 'null', 'undefined', '{}', '[]', '%']
const NOT_BOOLEAN = [...JUNK, '2', '01', '-1', 'truee', 't', 'y']
const NOT_A_NUMBER = [
  ...JUNK,
  'true',
  'false',
  'yes',
  'on',
  'no',
  'NaN',
  'Infinity',
  '-Infinity',
  '1e309',
  '-1',
  '12 apples',
  ' ',
  '1,000',
  '９',
  // Texts that other programs accept as numbers.
  '1.5',
  ' 7',
  '7 ',
  '0x10',
  '1e3',
  '+7',
  '9007199254740993',
  '99999999999999999999',
]

describe.each(ofKind('boolean'))('$variable', (setting) => {
  test.each(NOT_BOOLEAN)('SEC-42: refuses %j', (value) => {
    const problems = problemsOf(setting, value)
    expect(problems).toHaveLength(1)
    if (value.trim().length > 4) expect(problems[0]).not.toContain(value)
  })
  test('accepts the words for true and false', () => {
    for (const [text, value] of [
      ...['true', 'TRUE', 'yes', 'on', '1'].map((word) => [word, true] as const),
      ...['false', 'no', 'Off', '0'].map((word) => [word, false] as const),
    ]) {
      expect(setting.field.safeParse(text)).toMatchObject({ success: true, data: value })
    }
  })
})

describe.each(ofKind('number'))('$variable', (setting) => {
  test.each(NOT_A_NUMBER)('SEC-42: refuses %j', (value) => {
    const problems = problemsOf(setting, value)
    expect(problems.length).toBeGreaterThan(0)
    if (value === 'hunter2') expect(problems[0]).not.toContain(value)
  })
})

test.each([
  [
    'MAYFLY_TRUSTED_PROXIES',
    [
      '*',
      '0.0.0.0/0/0',
      '10.0.0',
      '10.0.0.0/33',
      'proxy.internal',
      '10.0.0.1;10.0.0.2',
      'all',
      '0.0.0.0/0',
      '::/0',
      '128.0.0.0/1',
    ],
  ],
  ['MAYFLY_ALLOWED_HOSTS', ['*', '*.example.org', 'https://a.example', 'a.example:443', 'user@a.example', 'a/b']],
  [
    'MAYFLY_CORS_ORIGINS',
    ['*', 'null', 'a.example', 'https://a.example/', 'https://*.a.example/x', 'https://u@a.example'],
  ],
  [
    'MAYFLY_INSTANCE_KEY',
    ['secret', 'a'.repeat(63), 'g'.repeat(64), 'a'.repeat(44), `${'a'.repeat(43)}+`, `${'a'.repeat(42)}/`],
  ],
  ['MAYFLY_PUBLIC_URL', ['a.example', 'ftp://a.example', 'https://u@a.example', 'https://a.example?x', '//a.example']],
])('%s accepts no pattern', (variable, values) => {
  const setting = settings.find((each) => each.variable === variable) as (typeof settings)[number]
  for (const value of values) {
    const problems = problemsOf(setting, value)
    expect(problems).not.toEqual([])
    expect(problems.join()).not.toContain(value.length > 3 ? value : 'hunter2')
  }
})

const ANYTHING = [
  ...NOT_A_NUMBER,
  '1',
  'ä ö',
  'x'.repeat(2000),
  '[1]',
  '[{"x":1}]',
  '[{"url":1,"name":"Ä","events":["x"]}]',
]

test('no problem has the words of zod', () => {
  const problems = settings.flatMap((setting) => ANYTHING.flatMap((value) => problemsOf(setting, value)))
  expect(new Set(problems.map((problem) => problem.split(':')[0])).size).toBeGreaterThan(60)
  expect(problems.filter((problem) => /Invalid|expected|received|Too (big|small)|Unrecognized/.test(problem))).toEqual(
    [],
  )
})

test('SEC-42: the table contains every setting', () => {
  expect(ofKind('boolean').length).toBeGreaterThan(4)
  expect(ofKind('number').length).toBeGreaterThan(15)
})
