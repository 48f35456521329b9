/** The fields below "More options": in the chunk that sends the draft, because the first page has no room for them. */
import { useTranslation } from 'react-i18next'
import { TITLE_MAX } from '#shared/limits'
import { Notice } from '../../components/Notice.js'
import { CheckField } from '../../forms/CheckField.js'
import { CodeInput } from '../../forms/CodeInput.js'
import { Field } from '../../forms/Field.js'
import { isolateLtr } from '../../lib/format.js'
import { useSettings } from '../../lib/settings.js'
import type { Options } from './draft/draft-store.js'
import { includesAddress, isIpRange } from './draft/ip-range.js'
import { problemMessage } from './draft/problem-message.js'
import type { Problems } from './draft/validate-draft.js'

export interface Props {
  options: Options
  problems: Problems
  canNotify: boolean
  change(changed: Partial<Options>): void
}

export function OptionFields({ options, problems, canNotify, change }: Props) {
  const { t } = useTranslation('compose')
  const { notifications, policy } = useSettings().settings
  const { unlimitedViews, passwordRequired, addressRequired } = policy
  const { preventBurn, isPublic, notify, receipt } = options
  return (
    <>
      <TitleField options={options} problem={problems.title} change={change} />
      <AddressField options={options} problem={problems.allowedIp} change={change} />
      {unlimitedViews && (
        <CheckField
          label={t('keep.label')}
          hint={t('keep.hint')}
          checked={preventBurn}
          disabled={isPublic}
          onChange={(preventBurn) => change({ preventBurn })}
        />
      )}
      {canNotify && (
        <CheckField
          label={t('notify.label')}
          hint={t(notifications ? 'notify.hint' : 'notify.webhook-hint')}
          checked={notify}
          onChange={(notify) => change({ notify })}
        />
      )}
      <CheckField
        label={t('receipt.label')}
        hint={t('receipt.hint')}
        checked={receipt}
        onChange={(receipt) => change({ receipt })}
      />
      {unlimitedViews && !passwordRequired && !addressRequired && (
        <CheckField
          label={t('public.label')}
          hint={t('public.hint')}
          checked={isPublic}
          onChange={(isPublic) => change({ isPublic })}
        />
      )}
      {isPublic && (
        <Notice kind="warn" role="status" heading={t('public.warning.heading')}>
          {t('public.warning.explanation')}
        </Notice>
      )}
    </>
  )
}

interface FieldProps<Name extends 'title' | 'allowedIp'> extends Pick<Props, 'options' | 'change'> {
  problem: Problems[Name]
}

function TitleField({ options: { title, isPublic }, problem, change }: FieldProps<'title'>) {
  const { t } = useTranslation('compose')
  const { limits } = useSettings().settings
  return (
    <Field
      label={t('title.label')}
      optional
      hint={t(isPublic ? 'title.public-hint' : 'title.hint')}
      error={problemMessage('title', problem, limits)}
    >
      {(control) => (
        <input
          {...control}
          autoComplete="off"
          maxLength={TITLE_MAX}
          value={title}
          onChange={({ target }) => change({ title: target.value })}
        />
      )}
    </Field>
  )
}

function AddressField({ options: { allowedIp, isPublic }, problem, change }: FieldProps<'allowedIp'>) {
  const { t } = useTranslation('compose')
  const { limits, address, policy } = useSettings().settings
  const range = allowedIp.trim()
  const excludesCaller = address !== null && isIpRange(range) && !includesAddress(range, address)
  const warning = excludesCaller && t('address.excluded', { address: isolateLtr(address) })
  return (
    <Field
      label={t('address.label')}
      optional={!policy.addressRequired}
      hint={isPublic ? t('not-when-public') : warning || (policy.addressRequired && t('required'))}
      error={problemMessage('allowedIp', problem, limits)}
    >
      {(control) => (
        <CodeInput
          {...control}
          disabled={isPublic}
          placeholder={t('address.placeholder')}
          value={allowedIp}
          onChange={({ target }) => change({ allowedIp: target.value })}
        />
      )}
    </Field>
  )
}
