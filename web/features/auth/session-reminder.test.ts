import { expect, test } from 'vitest'
import { createSnooze, isReminderDue } from './session-reminder.js'

const HOUR = 3_600_000
const END = Date.UTC(2026, 10, 21, 12)

test('the reminder is due on the last day of the session', () => {
  expect(isReminderDue(END, null, END - 24 * HOUR - 1)).toBe(false)
  expect(isReminderDue(END, null, END - 24 * HOUR)).toBe(true)
  expect(isReminderDue(END, null, END - 1)).toBe(true)
  expect(isReminderDue(END, null, END)).toBe(false)
})

test('a cancelled reminder is due once more, an hour before the end', () => {
  const first = createSnooze(END, END - 20 * HOUR)
  expect(isReminderDue(END, first, END - 19 * HOUR)).toBe(false)
  expect(isReminderDue(END, first, END - HOUR - 1)).toBe(false)
  expect(isReminderDue(END, first, END - HOUR)).toBe(true)
  const second = createSnooze(END, END - HOUR / 2)
  expect(isReminderDue(END, second, END - 1)).toBe(false)
})

test('cancelling a reminder does not affect the next session', () => {
  expect(isReminderDue(END + HOUR, createSnooze(END, END - 20 * HOUR), END - 20 * HOUR)).toBe(true)
})
