import { Page } from './Page.js'
import { ShareLink } from './ShareLink.js'

/** Says that a link opens nothing, and offers to share a secret. */
export function EndPage({ heading, lede }: { heading: string; lede: string }) {
  return (
    <Page centered heading={heading} lede={lede}>
      <p className="actions">
        <ShareLink />
      </p>
    </Page>
  )
}
