import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../components/CopyButton.js'
import { Icon } from '../../components/Icon.js'
import { downloadFile } from '../../lib/download-file.js'
import type { PersonLink } from './created-link.js'
import { toCsv } from './links-csv.js'

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
