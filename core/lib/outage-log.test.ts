import { expect, test } from 'vitest'
import { AppError } from './errors.js'
import { createLog } from './log.js'
import { createOutageLog } from './outage-log.js'

function logging() {
  const clock = { now: 1000 }
  const lines: string[] = []
  const log = createLog('info', 'text', (line) => void lines.push(line.trimEnd()))
  const outage = createOutageLog({
    log,
    level: 'warn',
    failed: 'not written',
    recovered: 'written again',
    now: () => clock.now,
  })
  return { outage, clock, lines }
}

test('an outage is logged at its start with the cause, and at its end with count and duration', () => {
  const { outage, clock, lines } = logging()
  outage.succeed()
  const refused = Object.assign(new Error('connect hunter2'), { code: 'ECONNREFUSED' })
  for (let n = 0; n < 5; n++) {
    outage.fail(new AppError('storage.unavailable', {}, { cause: refused }), { waiting: 7 })
    clock.now += 2000
  }
  expect(outage.isFailing()).toBe(true)
  expect(lines).toEqual(['warn: not written error="AppError" cause="storage.unavailable < ECONNREFUSED" waiting=7'])
  outage.succeed()
  outage.succeed()
  expect(lines.slice(1)).toEqual(['written again failures=5 seconds=10'])
  outage.fail(new Error('hunter2'))
  expect(lines.slice(2)).toEqual(['warn: not written error="Error"'])
})

test('invalid codes are left out', () => {
  const { outage, lines } = logging()
  outage.fail(Object.assign(new Error(), { code: 'a value of a üser' }))
  expect(lines).toEqual(['warn: not written error="Error"'])
})
