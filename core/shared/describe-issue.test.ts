import { expect, test } from 'vitest'
import { z } from 'zod'
import { describeIssue } from './describe-issue.js'

const describeProblem = (schema: z.ZodType, value: unknown) => {
  const { error } = schema.safeParse(value)
  return error && describeIssue(error.issues[0])
}

test.each<[z.ZodType, unknown, string]>([
  [z.string(), 1, 'must be text'],
  [z.string(), undefined, 'is missing'],
  [z.number(), 'seven', 'must be a number'],
  [z.int(), 1.5, 'must be a whole number'],
  [z.boolean(), 'yes', 'must be true or false'],
  [z.array(z.string()), 'ä', 'must be a list'],
  [z.object({}), [], 'must be an object'],
  [z.date(), 1, 'is not valid'],
  [z.enum(['a']), 'ä', 'must be a'],
  [z.enum(['a', 'b', 'ü']), 'ä', 'must be a, b or ü'],
  [z.literal([1, 2]), 3, 'must be 1 or 2'],
  [z.int().max(65_535), 65_536, 'must be 65535 or less'],
  [z.int().min(1), 0, 'must be 1 or more'],
  [z.number().gt(0), 0, 'must be more than 0'],
  [z.number().lt(1), 1, 'must be less than 1'],
  [z.string().max(1), 'ää', 'must have up to 1 character'],
  [z.string().min(3), 'ää', 'must have at least 3 characters'],
  [z.string().length(3), 'ää', 'must have 3 characters'],
  [z.array(z.int()).min(1), [], 'must have at least 1 item'],
  [z.base64(), 'ä', 'must be base64'],
  [z.url(), 'ä', 'must be a URL'],
  [z.uuid(), 'ä', 'is not valid'],
  [z.string().regex(/^[a-z]+$/), 'ä', 'must match /^[a-z]+$/'],
  [z.strictObject({}), { ä: 1, b: 2 }, 'has the unknown key ä, b'],
  [z.union([z.int(), z.boolean()]), 'ä', 'is not valid'],
  [z.string().refine(() => false), 'ä', 'is not valid'],
])('%# describes a problem without the words of zod', (schema, value, problem) => {
  expect(describeProblem(schema, value)).toBe(problem)
})

test('messages of the schema are unchanged', () => {
  const message = 'must be ☃'
  for (const [schema, value] of [
    [z.string(message), 1],
    [z.string().min(3, message), 'ä'],
    [z.enum(['a'], message), 'b'],
    [z.union([z.int(), z.boolean()], message), 'ä'],
    [z.string().refine(() => false, message), 'ä'],
  ] as const)
    expect(describeProblem(schema, value)).toBe(message)
  expect(
    describeProblem(
      z.string().refine(() => false, 'Invalid ☃'),
      'ä',
    ),
  ).toBe('Invalid ☃')
})
