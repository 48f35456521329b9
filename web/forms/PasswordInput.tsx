import { type ComponentProps, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../components/Icon.js'

interface Props extends Omit<ComponentProps<'input'>, 'children'> {
  /** Renders more buttons. `show` shows the text. */
  children?(show: () => void): ReactNode
}

/** Asks password managers neither to fill in nor to save the password of a secret. */
export const NOT_A_LOGIN = {
  autoComplete: 'off',
  'data-1p-ignore': true,
  'data-bwignore': true,
  'data-lpignore': 'true',
}

/** A password input with a button that shows the text. */
export function PasswordInput({ children, ...input }: Props) {
  const { t } = useTranslation()
  const [isShown, setShown] = useState(false)
  return (
    <div className="with-buttons">
      <input {...input} type={isShown ? 'text' : 'password'} autoCapitalize="none" spellCheck={false} />
      <span className="inside">
        <button
          type="button"
          className="button quiet icon-only"
          aria-label={t('field.show-password')}
          aria-pressed={isShown}
          disabled={input.disabled}
          onClick={() => setShown(!isShown)}
        >
          <Icon name="eye" />
        </button>
        {children?.(() => setShown(true))}
      </span>
    </div>
  )
}
