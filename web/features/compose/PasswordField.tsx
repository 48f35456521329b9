import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../components/Icon.js'
import { Field } from '../../forms/Field.js'
import { PasswordInput } from '../../forms/PasswordInput.js'
import { useSettings } from '../../lib/settings.js'
import type { Options } from './draft/draft-store.js'
import { problemMessage } from './draft/problem-message.js'
import type { Problems } from './draft/validate-draft.js'

interface Props {
  options: Options
  problem: Problems['password']
  change(changed: Partial<Options>): void
}

export function PasswordField({ options, problem, change }: Props) {
  const { t } = useTranslation('home')
  const { limits } = useSettings().settings
  const [generated, setGenerated] = useState<string | null>(null)
  const generate = async () => {
    const { passphrase } = await import('#shared/crypto/passphrase')
    const password = passphrase()
    setGenerated(password)
    change({ password })
  }
  return (
    <Field
      label={t('password.label')}
      optional
      hint={options.isPublic && t('not-when-public')}
      error={problemMessage('password', problem, limits)}
    >
      {(control) => (
        <PasswordInput
          {...control}
          autoComplete="new-password"
          data-generated={options.password === generated || undefined}
          disabled={options.isPublic}
          value={options.password}
          onChange={({ target }) => change({ password: target.value })}
        >
          {(show) => (
            <button
              type="button"
              className="button quiet icon-only"
              aria-label={t('password.generate')}
              disabled={options.isPublic}
              onClick={() => {
                show()
                void generate()
              }}
            >
              <Icon name="dice" />
            </button>
          )}
        </PasswordInput>
      )}
    </Field>
  )
}
