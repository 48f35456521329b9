import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../components/CopyButton.js'
import { Icon } from '../../components/Icon.js'
import { Notice } from '../../components/Notice.js'
import { downloadFile } from '../../lib/download-file.js'
import { errorMessage } from '../../lib/error-message.js'
import { isolate } from '../../lib/format.js'
import { language } from '../../lib/i18n.js'
import type { CreatedLink, MissingLinks, PersonLink } from './created-link.js'
import { toCsv } from './links-csv.js'

/** Number of people that a notice names. */
const NAMES_MAX = 10

/** Names the people without a link, and tries again to create their links. */
export function MissingPeople({
  missing: { names, error, retry },
  onRetried,
}: {
  missing: MissingLinks
  onRetried(created: CreatedLink): void
}) {
  const { t } = useTranslation('compose')
  const [isBusy, setBusy] = useState(false)
  const tryAgain = async () => {
    if (isBusy) return
    setBusy(true)
    // It does not reject: the result lists the links that are still missing.
    onRetried(await retry())
    setBusy(false)
  }
  const shown = names.slice(0, NAMES_MAX).map(isolate)
  const list = new Intl.ListFormat(language).format(names.length > NAMES_MAX ? [...shown, '…'] : shown)
  return (
    <Notice kind="bad" role="alert" heading={errorMessage(error)}>
      <p>{t('people.missing', { names: list })}</p>
      <p>
        <button type="button" className="button" aria-disabled={isBusy} onClick={tryAgain}>
          {t(isBusy ? 'create.busy' : 'people.retry')}
        </button>
      </p>
    </Notice>
  )
}

/** The links of several people, each with a button that copies it, and all as a table. */
export function CreatedLinks({ people }: { people: PersonLink[] }) {
  const { t } = useTranslation('compose')
  const csv = toCsv(people)
  return (
    <section className="card">
      <div className="actions halves">
        <CopyButton primary text={csv}>
          {t('people.copy')}
        </CopyButton>
        <button type="button" className="button" onClick={() => downloadFile('links.csv', csv)}>
          <Icon name="download" />
          {t('people.save')}
        </button>
      </div>
      <ul className="stack">
        {people.map(({ name, secret: { id: secretId, link } }) => (
          <li key={secretId} className="stack">
            <bdi>{name}</bdi>
            <code className="link-box">{link}</code>
            <div>
              <CopyButton text={link}>
                {t('link.copy')}
                <span className="only-read"> {name}</span>
              </CopyButton>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
