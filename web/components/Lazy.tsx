import type { ReactNode } from 'react'
import { errorMessage } from '../lib/error-message.js'
import type { LazyPart } from '../lib/lazy-part.js'
import { useLazyPart } from '../lib/use-lazy-part.js'
import { FocusedNotice } from './FocusedNotice.js'
import { RetryButton } from './RetryButton.js'

interface Props<Module> {
  part: LazyPart<Module>
  children(module: Module): ReactNode
}

/** Shows a part when it is loaded. An error is shown in its place, so that the rest of the page stays. */
export function Lazy<Module extends object>({ part, children }: Props<Module>) {
  const { module, error, retry } = useLazyPart(part)
  if (module) return children(module)
  return (
    error !== null && (
      <FocusedNotice error={error}>
        {errorMessage(error)}
        <div className="actions">
          <RetryButton error={error} onRetry={retry} />
        </div>
      </FocusedNotice>
    )
  )
}
