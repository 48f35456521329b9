import { useEffect, useState } from 'react'
import { useRevalidator } from 'react-router'
import { requestApi } from '../../lib/request-api.js'

/** The longest page of a list. */
const REQUESTS_MAX = 100

/**
 * Number of submissions that the user can open, in the newest 100 requests. 0 without requests, and while it is not
 * known. Loaded again with the data of the page.
 */
export function useUnopenedCount(hasRequests: boolean): number {
  const [count, setCount] = useState(0)
  const { state } = useRevalidator()
  useEffect(() => {
    if (!hasRequests || state !== 'idle') return
    requestApi.list({ skip: 0, take: REQUESTS_MAX }).then(
      (requests) => setCount(requests.reduce((sum, { unopened }) => sum + unopened, 0)),
      // Only a hint: the page of the requests shows the error.
      () => {},
    )
  }, [hasRequests, state])
  return count
}
