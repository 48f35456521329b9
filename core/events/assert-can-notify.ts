import type { AuthContext } from '../contracts/auth-context.js'
import type { DurableEventType } from '../contracts/outbox.js'
import { AppError } from '../lib/errors.js'
import type { EventService } from './event-service.js'

/** Refuses a promise that nothing would keep: no account, or no subscriber of these events. Throws AppError `request.invalid`. */
export function assertCanNotify(
  events: Pick<EventService, 'canNotify'>,
  { userId }: AuthContext,
  ...types: DurableEventType[]
): void {
  if (userId === null) throw invalid('needs an account, which is notified')
  if (!events.canNotify(userId, ...types)) throw invalid('this server sends no notifications')
}

const invalid = (problem: string): AppError =>
  new AppError('request.invalid', { field: 'notify', message: `notify: ${problem}` })
