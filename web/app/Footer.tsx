import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../components/Icon.js'
import { Link } from '../components/Link.js'
import { paths } from '../lib/paths.js'
import { useSettings } from '../lib/settings.js'
import { site, withBase } from '../lib/site.js'
import { applyTheme, currentTheme, THEMES } from '../lib/theme.js'

export function Footer() {
  const { t } = useTranslation()
  const { settings } = useSettings()
  return (
    <footer className="site">
      <nav aria-label={t('footer.label')}>
        <ul>
          <li>
            <Link to={paths.account}>{t('footer.account')}</Link>
          </li>
          <li>
            <Link to={paths.privacy}>{t('footer.privacy')}</Link>
          </li>
          <li>
            <Link to={paths.terms}>{t('footer.terms')}</Link>
          </li>
          <li>
            <a href={withBase(paths.lite)}>{t('footer.lite')}</a>
          </li>
          <li>
            <Link to={paths.apiDocs}>{t('footer.api')}</Link>
          </li>
          <li>
            <Link to={paths.stats}>{t('footer.stats')}</Link>
          </li>
          {site.source && (
            <li>
              <a href={site.source}>{t('footer.source')}</a>
            </li>
          )}
          {site.links.map(({ label, href }) => (
            <li key={label + href}>
              <a href={href}>
                <bdi>{label}</bdi>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <ul>
        <li>
          <ThemeButton />
        </li>
        {settings.version && (
          <li>
            <bdi>
              {t('product')} {settings.version}
            </bdi>
          </li>
        )}
      </ul>
    </footer>
  )
}

function ThemeButton() {
  const { t } = useTranslation()
  const [theme, setTheme] = useState(currentTheme)
  const next = () => {
    const chosen = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system'
    applyTheme(chosen)
    setTheme(chosen)
  }
  return (
    <button type="button" onClick={next}>
      <Icon name="theme" />
      {t(`theme.${theme}`)}
    </button>
  )
}
