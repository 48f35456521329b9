/** Describes issues of zod in plain English, for people who do not know zod. */
import type { z } from 'zod'
import { lookUp } from './look-up.js'

type Issue = z.core.$ZodIssue

/** The start of the default messages of zod. */
const DEFAULT_MESSAGE = /^(Invalid|Too big|Too small|Unrecognized key)/

/** Types as zod names them. */
const TYPES: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

/** Formats as zod names them. */
const FORMATS: Record<string, string> = {
  base64: 'base64',
  email: 'an e-mail address',
  url: 'a URL',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
}

/**
 * Returns the problem without the field and the value, such as `must be a whole number`. Messages of the schema are
 * unchanged.
 */
export function describeIssue(issue: Issue | undefined): string {
  if (!issue) return 'is not valid'
  if (!DEFAULT_MESSAGE.test(issue.message)) return issue.message
  switch (issue.code) {
    case 'invalid_type':
      // The issue does not contain the value.
      return issue.message.endsWith('received undefined') ? 'is missing' : mustBe(lookUp(TYPES, issue.expected))
    case 'invalid_value':
      return mustBe(formatChoices(issue.values.map(String)))
    case 'invalid_format':
      return issue.format === 'regex' ? `must match ${issue.pattern}` : mustBe(lookUp(FORMATS, issue.format))
    case 'too_big':
      return describeLimit(issue, issue.maximum, ['less than', 'or less', 'up to'])
    case 'too_small':
      return describeLimit(issue, issue.minimum, ['more than', 'or more', 'at least'])
    case 'unrecognized_keys':
      return `has the unknown key ${issue.keys.join(', ')}`
    case 'custom':
      return issue.message === 'Invalid input' ? 'is not valid' : issue.message
    default:
      return 'is not valid'
  }
}

const mustBe = (what: string | undefined): string => (what === undefined ? 'is not valid' : `must be ${what}`)

const UNITS: Record<string, string> = { string: 'character', array: 'item', set: 'item', map: 'item', file: 'byte' }

type Limit = z.core.$ZodIssueTooBig | z.core.$ZodIssueTooSmall

/** `must be 65535 or less`, `must have at least 3 characters`. */
function describeLimit(
  { origin, exact, inclusive }: Limit,
  limit: number | bigint,
  [exclusive, ofNumber, ofSize]: [string, string, string],
): string {
  const unit = lookUp(UNITS, origin)
  if (unit !== undefined)
    return `must have ${exact ? '' : `${ofSize} `}${limit} ${unit}${Number(limit) === 1 ? '' : 's'}`
  return inclusive === false ? `must be ${exclusive} ${limit}` : `must be ${limit} ${ofNumber}`
}

/** `a, b or c`. */
const formatChoices = (choices: string[]): string =>
  choices.length < 2 ? choices.join() : `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`
