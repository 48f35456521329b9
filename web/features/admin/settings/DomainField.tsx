import { useTranslation } from 'react-i18next'
import { InputField } from '../../../forms/InputField.js'
import { isolateLtr } from '../../../lib/format.js'
import { suggestDomains } from './email-domains.js'

interface Props {
  value: string
  /** Shows that the value is not a list of domains. */
  isInvalid: boolean
  change(value: string): void
}

/** The e-mail domains that may sign up. A button corrects the value where the intended domains can be guessed. */
export function DomainField({ value, isInvalid, change }: Props) {
  const { t } = useTranslation('admin')
  const suggestion = isInvalid ? suggestDomains(value) : null
  return (
    <>
      <InputField
        label={t('domains.label')}
        optional
        hint={t('domains.hint')}
        error={isInvalid ? t('domains.wrong', { example: isolateLtr('example.org') }) : null}
        name="domains"
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
        placeholder="example.org, example.com"
        value={value}
        onChange={({ target }) => change(target.value)}
      />
      {suggestion !== null && (
        <button type="button" className="button" onClick={() => change(suggestion)}>
          {t('domains.fix', { domains: isolateLtr(suggestion) })}
        </button>
      )}
    </>
  )
}
