import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { testIo } from '#test/run-cli'
import { CliError } from '../lib/cli-error.js'
import { parseDatabaseUrl } from './database-url.js'

const { io } = testIo()

test.each([
  ['sqlite:data/x.db', 'sqlite', { file: resolve('data/x.db') }],
  ['sqlite:///srv/x.db', 'sqlite', { file: '/srv/x.db' }],
  ['postgres://u:p%40@db.internal:5433/mayfly', 'postgres', { url: 'postgres://u:p%40@db.internal:5433/mayfly' }],
  ['postgresql://db/mayfly', 'postgres', { url: 'postgresql://db/mayfly' }],
  ['mariadb://db/mayfly', 'mysql', { url: 'mariadb://db/mayfly' }],
])('%s selects %s', (url, plugin, options) => {
  expect(parseDatabaseUrl(url, '--to', io)).toEqual({ plugin, options })
})

test.each([
  'mysql:hunter2',
  'mysql:/hunter2',
  'postgres:user:hunter2@db/mayfly',
  'postgres://user:hunter2#x@db/mayfly',
  'mariadb://',
  'hunter2',
  'oracle://hunter2',
  'constructor:hunter2',
])('%s is rejected and not printed', (url) => {
  const failure = (() => {
    try {
      parseDatabaseUrl(url, '--to', io)
    } catch (error) {
      return error
    }
  })()
  expect(failure).toBeInstanceOf(CliError)
  const { outcome, message, hint = '' } = failure as CliError
  expect(outcome).toBe('usage')
  expect(message).toMatch(/^--to must /)
  expect(message + hint).not.toContain('hunter2')
})
