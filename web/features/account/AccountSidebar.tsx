import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import type { Account } from '#shared/api'
import { Strokes } from '../../components/Icon.js'
import { Link } from '../../components/Link.js'
import { paths } from '../../lib/paths.js'
import { useSettings } from '../../lib/settings.js'

const SHAPES = {
  person: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8M4 21c0-4 4-6 8-6s8 2 8 6',
  secrets: 'M7 11V7a5 5 0 0 1 10 0v4M5 11h14v10H5z',
  instance: 'M4 6h7M17 6h3M4 12h2M12 12h8M4 18h9M19 18h1M14 4v4M9 10v4M16 16v4',
  settings: 'M4 20h4L20 8l-4-4L4 16z',
  people: 'M9 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8M2 21c0-4 3-6 7-6s7 2 7 6M16 4a4 4 0 0 1 0 8M18 15c3 1 4 3 4 6',
  list: 'M8 6h13M8 12h13M8 18h13M3 6h.01M3 12h.01M3 18h.01',
  text: 'M6 3h8l5 5v13H6zM14 3v5h5',
} as const

interface Entry {
  to: string
  label: string
  shape: keyof typeof SHAPES
}

/** The menu of the account area. */
export function Panel({ role, onFollow }: Pick<Account, 'role'> & { onFollow(): void }) {
  const { t } = useTranslation('account')
  const { settings } = useSettings()
  const own: Entry[] = [
    { to: paths.accountDetails, label: t('menu.account'), shape: 'person' },
    { to: paths.ownSecrets, label: t('menu.secrets'), shape: 'secrets' },
    { to: paths.accountSettings, label: t('menu.settings'), shape: 'settings' },
  ]
  const administration: Entry[] = [
    { to: paths.users, label: t('menu.users'), shape: 'people' },
    { to: paths.instanceSettings, label: t('menu.instance'), shape: 'instance' },
  ]
  const others: Entry[] = [
    { to: paths.public, label: t('common:frame.public-list'), shape: 'list' },
    { to: paths.accountPrivacy, label: t('common:footer.privacy'), shape: 'text' },
    { to: paths.accountTerms, label: t('common:footer.terms'), shape: 'text' },
  ]
  return (
    <>
      <nav aria-label={t('title')}>
        <Group heading={t('title')} entries={own} onFollow={onFollow} />
        {role === 'admin' && <Group heading={t('menu.administration')} entries={administration} onFollow={onFollow} />}
        <Group heading={t('menu.others')} entries={others} onFollow={onFollow}>
          <li>
            <Link className="out" to={paths.signOut} onClick={onFollow}>
              <Strokes shape="M14 4h6v16h-6M10 8l-4 4 4 4M6 12h11" />
              {t('common:frame.sign-out')}
            </Link>
          </li>
        </Group>
      </nav>
      <p className="hint">
        <bdi>
          {t('common:product')} {settings.version}
        </bdi>
      </p>
    </>
  )
}

interface GroupProps {
  heading: string
  entries: Entry[]
  onFollow(): void
  children?: ReactNode
}

function Group({ heading, entries, onFollow, children }: GroupProps) {
  const id = useId()
  const { pathname } = useLocation()
  const isHere = (to: string) => to === (pathname === paths.account ? paths.accountDetails : pathname)
  return (
    <>
      <h2 id={id}>{heading}</h2>
      <ul aria-labelledby={id}>
        {entries.map(({ to, label, shape }) => (
          <li key={to}>
            <Link to={to} aria-current={isHere(to) ? 'page' : undefined} onClick={onFollow}>
              <Strokes shape={SHAPES[shape]} />
              {label}
            </Link>
          </li>
        ))}
        {children}
      </ul>
    </>
  )
}
