import { useTranslation } from 'react-i18next'
import { EndPage } from './EndPage.js'

/**
 * `broken`: the link is malformed, and no request was sent. `gone`: the server gives the same response for every
 * reason.
 */
export function RequestLinkProblem({ problem }: { problem: 'broken' | 'gone' }) {
  const { t } = useTranslation('requests')
  return <EndPage heading={t(`${problem}.heading`)} lede={t(`${problem}.explanation`)} />
}
