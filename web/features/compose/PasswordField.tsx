import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../components/Icon.js'
import { Field } from '../../forms/Field.js'
import { NOT_A_LOGIN, PasswordInput } from '../../forms/PasswordInput.js'
import { errorMessage } from '../../lib/error-message.js'
import { passphrasePart } from '../../lib/passphrase-part.js'
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
  const { t } = useTranslation('compose')
  const { limits, policy } = useSettings().settings
  const [failure, setFailure] = useState<unknown>(null)
  const generate = () =>
    passphrasePart.load().then(({ passphrase }) => {
      setFailure(null)
      change({ password: passphrase() })
    }, setFailure)
  return (
    <Field
      label={t('password.label')}
      optional={!policy.passwordRequired}
      hint={policy.passwordRequired ? t('required') : options.isPublic && t('not-when-public')}
      error={failure ? errorMessage(failure) : problemMessage('password', problem, limits)}
    >
      {(control) => (
        <PasswordInput
          {...control}
          {...NOT_A_LOGIN}
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
