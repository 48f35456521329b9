import { useTranslation } from 'react-i18next'
import { Field } from '../../../forms/Field.js'
import { leftToRight } from '../../../lib/format.js'
import { areDomains, meantDomains } from './email-domains.js'

interface Props {
  value: string
  /** It was sent. */
  wasTried: boolean
  change(value: string): void
}

/** The domains that accounts may have their addresses in. What is no domain can mostly be put right with one click. */
export function DomainField({ value, wasTried, change }: Props) {
  const { t } = useTranslation('admin')
  const isWrong = wasTried && !areDomains(value)
  const meant = isWrong ? meantDomains(value) : null
  return (
    <>
      <Field
        label={t('domains.label')}
        optional
        hint={t('domains.hint')}
        error={isWrong ? t('domains.wrong', { example: leftToRight('example.org') }) : null}
      >
        {(control) => (
          <input
            {...control}
            name="domains"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            dir="ltr"
            placeholder="example.org, example.com"
            value={value}
            onChange={({ target }) => change(target.value)}
          />
        )}
      </Field>
      {meant !== null && (
        <button type="button" className="button" onClick={() => change(meant)}>
          {t('domains.fix', { domains: leftToRight(meant) })}
        </button>
      )}
    </>
  )
}
