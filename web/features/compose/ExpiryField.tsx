import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { listLifetimes } from '#shared/lifetimes'
import { Link } from '../../components/Link.js'
import { InputField } from '../../forms/InputField.js'
import { SelectField } from '../../forms/SelectField.js'
import { formatDuration, type Unit, unitName } from '../../lib/format.js'
import { language } from '../../lib/i18n.js'
import { paths } from '../../lib/paths.js'
import { useSession } from '../../lib/session/session-store.js'
import { useSettings } from '../../lib/settings.js'
import type { ExpiryOptions } from './draft/expiry-options.js'
import { problemMessage } from './draft/problem-message.js'
import type { Problems } from './draft/validate-draft.js'

const UNITS: Unit[] = ['second', 'minute', 'hour', 'day']

interface Props {
  options: ExpiryOptions
  problem: Problems['ttl']
  change(changed: Partial<ExpiryOptions>): void
}

export function ExpiryField({ options, problem, change }: Props) {
  const { t } = useTranslation('compose')
  const { limits, policy } = useSettings().settings
  const isCustom = options.ttl === 'custom'
  const presets = listLifetimes(policy.lifetimes)
  // The limits may have changed since it was chosen.
  if (options.ttl !== 'custom' && !presets.includes(options.ttl)) presets.push(options.ttl)
  const error = problemMessage('ttl', problem, limits)
  const hint = useLongerHint(options)
  return (
    <div className="expiry">
      <SelectField
        label={t('expiry.label')}
        hint={hint}
        error={isCustom ? null : error}
        value={options.ttl}
        onChange={({ target: { value } }) => change({ ttl: value === 'custom' ? value : Number(value) })}
      >
        {presets.map((seconds) => (
          <option key={seconds} value={seconds}>
            {formatDuration(seconds, language)}
          </option>
        ))}
        {policy.lifetimes.some(({ min, max }) => min < max) && <option value="custom">{t('expiry.custom')}</option>}
      </SelectField>
      {isCustom && (
        <div className="pair">
          <InputField
            label={t('expiry.amount')}
            error={error}
            inputMode="numeric"
            value={options.amount}
            onChange={({ target }) => change({ amount: target.value.trim() })}
          />
          <SelectField
            label={t('expiry.unit')}
            value={options.unit}
            onChange={({ target }) => change({ unit: target.value as Unit })}
          >
            {UNITS.map((unit) => (
              <option key={unit} value={unit}>
                {unitName(unit, language)}
              </option>
            ))}
          </SelectField>
        </div>
      )}
    </div>
  )
}

/** For visitors who want more than they may have. */
function useLongerHint({ ttl }: ExpiryOptions): ReactNode {
  const { t } = useTranslation('compose')
  const { limits, policy, disable_users: isSignInOff } = useSettings().settings
  const isSignedOut = useSession() === null
  const { pathname } = useLocation()
  const isLongest = ttl === 'custom' || ttl >= (listLifetimes(policy.lifetimes).at(-1) ?? 0)
  if (!isSignedOut || isSignInOff || !isLongest || limits.ttlMaxUser <= limits.ttlMax) return null
  return (
    <>
      {t('expiry.longer', { max: formatDuration(limits.ttlMaxUser, language) })}{' '}
      <Link to={`${paths.signIn}?to=${pathname}`}>{t('common:frame.sign-in')}</Link>
    </>
  )
}
