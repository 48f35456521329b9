import { useTranslation } from 'react-i18next'
import { Page } from './Page.js'

/** `broken`: the link is malformed, and no request was sent. `gone`: the server gives the same response for every reason. */
export function RequestLinkProblem({ problem }: { problem: 'broken' | 'gone' }) {
  const { t } = useTranslation('requests')
  const isGone = problem === 'gone'
  return (
    <Page
      centered
      heading={t(isGone ? 'gone.heading' : 'broken.heading')}
      lede={t(isGone ? 'gone.explanation' : 'broken.explanation')}
    />
  )
}
