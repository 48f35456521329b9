import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { duration, flag, secret, wholeNumber } from '../shared/option-schemas.js'
import { readPluginSettings } from './plugin-setting-schemas.js'

const read = (shape: z.ZodRawShape) => readPluginSettings({ name: 'notice', settings: z.object(shape) })
const readOne = (schema: z.ZodType) => read({ x: schema })[0]

test('a plugin without settings has none', () => {
  expect(readPluginSettings({ name: 'notice' })).toEqual([])
})

describe('the type follows from the schema', () => {
  test.each<[string, z.ZodType, object]>([
    ['z.boolean', z.boolean().default(true), { type: 'boolean', default: true, min: null, choices: [] }],
    ['flag', flag().default(false), { type: 'boolean', default: false }],
    ['z.int', z.int().min(1).max(9).default(5), { type: 'number', default: 5, min: 1, max: 9 }],
    ['wholeNumber', wholeNumber(-3, 3).default(0), { type: 'number', default: 0, min: -3, max: 3 }],
    ['duration', duration(0, 60_000).default(1000), { type: 'number', default: 1000, min: 0, max: 60_000 }],
    ['z.enum', z.enum(['a', 'ü']).default('ü'), { type: 'choice', default: 'ü', choices: ['a', 'ü'], max: null }],
    ['z.string', z.string().max(5).default('☃'), { type: 'text', default: '☃', max: null }],
  ])('%s', (_, schema, expected) => {
    expect(readOne(schema)).toMatchObject({ name: 'notice.x', plugin: 'notice', ...expected })
  })

  test('title and description are label and hint', () => {
    const schema = z.boolean().default(true).meta({ title: 'Möglich', description: 'Ob es geht.' })
    expect(readOne(schema)).toMatchObject({ label: 'Möglich', hint: 'Ob es geht.' })
  })
})

describe('an invalid declaration is an error that names the setting', () => {
  test.each<[string, z.ZodRawShape, RegExp]>([
    ['no default', { x: z.boolean() }, /invalid setting "x": it needs a valid default value/],
    ['a list', { x: z.array(z.string()).default([]) }, /"x": its type must be boolean, whole number, text/],
    ['a fraction', { x: z.number().default(0.5) }, /"x": its type must be/],
    ['a transformation', { x: z.string().default('').transform(Number) }, /"x": its type must be/],
    ['a capital letter', { maxAge: z.boolean().default(true) }, /"maxAge": its name must be lower-case/],
    ['a dot', { 'a.b': z.boolean().default(true) }, /"a\.b": its name must be/],
    ['a long name', { [`x${'y'.repeat(60)}`]: z.boolean().default(true) }, /must have up to 64 characters/],
    ['a secret', { x: secret(z.string().default('')) }, /"x": a secret value must be an option/],
    ['two lines', { x: z.string().default('a\nb') }, /valid default value: must be one line/],
    ['a long text', { x: z.string().default('x'.repeat(2001)) }, /valid default value: must have up to 2000/],
  ])('%s', (_, shape, message) => {
    expect(() => read(shape)).toThrow(message)
  })

  test('more than 50 settings', () => {
    const names = Array.from({ length: 51 }, (_, index) => `x${index}`)
    expect(() => read(Object.fromEntries(names.map((name) => [name, z.boolean().default(true)])))).toThrow(/50/)
  })

  test('something else than a z.object', () => {
    expect(() => readPluginSettings({ name: 'notice', settings: {} as z.ZodObject })).toThrow(/must be a z\.object/)
  })
})

test('values are converted from texts and checked', () => {
  const check = (schema: z.ZodType, value: unknown) => readOne(schema)?.check(value)
  expect(check(z.boolean().default(false), 'true')).toEqual({ value: true })
  expect(check(z.int().max(9).default(1), '7')).toEqual({ value: 7 })
  expect(check(duration(0, 60_000).default(1000), '5s')).toEqual({ value: 5000 })
  expect(check(z.string().trim().default(''), ' ☃ ')).toEqual({ value: '☃' })
  for (const [schema, value] of [
    [z.boolean().default(false), 'yes'],
    [z.int().max(9).default(1), '10'],
    [z.int().default(1), '0x7'],
    [z.int().default(1), '1.5'],
    [z.string().default(''), 'a\u0000b'],
    [z.string().default(''), '\ud800'],
    [z.string().default(''), 'x'.repeat(2001)],
    [z.string().default(''), true],
    [z.enum(['a']).default('a'), 'b'],
  ] as const)
    expect(check(schema, value)).toHaveProperty('problem')
  expect(check(z.int().max(9).default(1), '10')).toEqual({ problem: 'must be 9 or less' })
  expect(check(z.enum(['a', 'ü']).default('a'), 'b')).toEqual({ problem: 'must be a or ü' })
})
