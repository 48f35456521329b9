import { expect, test } from 'vitest'
import { runCloseSteps } from './close-steps.js'
import { createLog, noLog } from './log.js'

const never = () => new Promise<void>(() => {})

test('runCloseSteps runs the steps in order and resolves with an empty list when all close', async () => {
  const closed: string[] = []
  const step = (name: string) => ({ name, close: async () => void closed.push(name) })
  expect(await runCloseSteps([step('web'), step('sqlite')], noLog)).toEqual([])
  expect(closed).toEqual(['web', 'sqlite'])
})

test('runCloseSteps names the steps that are late and still runs the others', async () => {
  let isClosed = false
  const setClosed = () => {
    isClosed = true
  }
  const steps = [
    { name: 'first', close: never },
    { name: 'sqlite', close: setClosed },
    { name: 'last', close: never },
  ]
  expect(await runCloseSteps(steps, noLog, 90)).toEqual(['first', 'last'])
  expect(isClosed).toBe(true)
})

test('runCloseSteps logs a step that fails, synchronously or not, and runs the others', async () => {
  const lines: string[] = []
  const fail = () => {
    throw new TypeError('not for the log')
  }
  const steps = [
    { name: 'one', close: fail },
    { name: 'two', close: async () => fail() },
  ]
  const log = createLog('info', 'json', (line) => lines.push(line))
  expect(await runCloseSteps(steps, log, 1000)).toEqual([])
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { msg: 'closing failed', part: 'one', error: 'TypeError' },
    { msg: 'closing failed', part: 'two', error: 'TypeError' },
  ])
  expect(lines.join()).not.toContain('not for the log')
})
