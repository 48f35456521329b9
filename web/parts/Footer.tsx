import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSettings } from '../settings.js'
import { chooseTheme, chosenTheme, THEMES } from '../theme.js'
import { Icon } from './Icon.js'

export function Footer() {
  const { t } = useTranslation()
  const { settings } = useSettings()
  return (
    <footer className="site">
      <ul>
        <li>
          <ThemeButton />
        </li>
        {settings.version && (
          <li>
            {t('product')} <span dir="ltr">{settings.version}</span>
          </li>
        )}
      </ul>
    </footer>
  )
}

function ThemeButton() {
  const { t } = useTranslation()
  const [theme, setTheme] = useState(chosenTheme)
  const next = () => {
    const chosen = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system'
    chooseTheme(chosen)
    setTheme(chosen)
  }
  return (
    <button type="button" onClick={next}>
      <Icon name="theme" />
      {t(`theme.${theme}`)}
    </button>
  )
}
