/** The fields below "More options": in the chunk that sends the draft, because the first page has no room for them. */
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RECIPIENTS_MAX, TITLE_MAX } from '#shared/limits'
import { isEmailAddress, parseRecipients } from '#shared/recipient-list'
import { Notice } from '../../components/Notice.js'
import { CheckField } from '../../forms/CheckField.js'
import { CodeField, InputField } from '../../forms/InputField.js'
import { isolateLtr } from '../../lib/format.js'
import { useSettings } from '../../lib/settings.js'
import type { Options } from './draft/draft-store.js'
import { includesAddress, isIpRange } from './draft/ip-range.js'
import { problemMessage } from './draft/problem-message.js'
import type { Problems } from './draft/validate-draft.js'
import { PeopleField } from './people/PeopleField.js'

export interface Props {
  options: Options
  problems: Problems
  canNotify: boolean
  change(changed: Partial<Options>): void
}

export function OptionFields({ options, problems, canNotify, change }: Props) {
  const { t } = useTranslation('compose')
  const { notifications, policy, emailVerification } = useSettings().settings
  const { unlimitedViews, passwordRequired, addressRequired } = policy
  const { preventBurn, isPublic, notify, receipt } = options
  return (
    <>
      <TitleField options={options} problem={problems.title} change={change} />
      <PeopleField options={options} change={change} />
      <AddressField options={options} problem={problems.allowedIp} change={change} />
      {emailVerification && <RecipientsField options={options} change={change} />}
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
    <InputField
      label={t('title.label')}
      optional
      hint={t(isPublic ? 'title.public-hint' : 'title.hint')}
      error={problemMessage('title', problem, limits)}
      maxLength={TITLE_MAX}
      value={title}
      onChange={({ target }) => change({ title: target.value })}
    />
  )
}

/** Named recipients have one view each, unless the user chose another number. */
function RecipientsField({ options: { recipients = '', views, isPublic }, change }: Pick<Props, 'options' | 'change'>) {
  const { t } = useTranslation('compose')
  const [isLeft, setLeft] = useState(false)
  const list = parseRecipients(recipients)
  const isWrong = list.length > RECIPIENTS_MAX || !list.every(isEmailAddress)
  const countViews = (text: string) => String(Math.max(1, Math.min(parseRecipients(text).length, RECIPIENTS_MAX)))
  return (
    <CodeField
      label={t('recipients.label')}
      optional
      hint={t(isPublic ? 'not-when-public' : 'recipients.hint')}
      error={isLeft && isWrong && !isPublic ? t('problem.recipients.wrong') : null}
      disabled={isPublic}
      inputMode="email"
      placeholder="anna@example.org"
      value={recipients}
      onBlur={() => setLeft(true)}
      onChange={({ target: { value } }) =>
        change({ recipients: value, ...(views === countViews(recipients) && { views: countViews(value) }) })
      }
    />
  )
}

function AddressField({ options: { allowedIp, isPublic }, problem, change }: FieldProps<'allowedIp'>) {
  const { t } = useTranslation('compose')
  const { limits, address, policy } = useSettings().settings
  const range = allowedIp.trim()
  const excludesCaller = address !== null && isIpRange(range) && !includesAddress(range, address)
  const warning = excludesCaller && t('address.excluded', { address: isolateLtr(address) })
  return (
    <CodeField
      label={t('address.label')}
      optional={!policy.addressRequired}
      hint={isPublic ? t('not-when-public') : warning || (policy.addressRequired && t('required'))}
      error={problemMessage('allowedIp', problem, limits)}
      disabled={isPublic}
      placeholder={t('address.placeholder')}
      value={allowedIp}
      onChange={({ target }) => change({ allowedIp: target.value })}
    />
  )
}
