import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TITLE_MAX } from '#shared/limits'
import { Notice } from '../../components/Notice.js'
import { CheckField } from '../../forms/CheckField.js'
import { Field } from '../../forms/Field.js'
import { isolateLtr } from '../../lib/format.js'
import { useSettings } from '../../lib/settings.js'
import type { Options } from './draft/draft-store.js'
import { useDraft } from './draft/draft-store.js'
import { problemMessage } from './draft/problem-message.js'
import type { Problems } from './draft/validate-draft.js'

interface Props {
  options: Options
  problems: Problems
  change(changed: Partial<Options>): void
}

export function MoreOptions({ options, problems, change }: Props) {
  const { t } = useTranslation('home')
  const draft = useDraft()
  const [isOpen, setOpen] = useState(draft.isMoreOpen)
  const { preventBurn, isPublic } = options
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => {
        draft.isMoreOpen = currentTarget.open
        setOpen(currentTarget.open)
      }}
    >
      <summary>
        {t('more.label')}
        {!isOpen && <Chosen options={options} />}
      </summary>
      <TitleField options={options} problem={problems.title} change={change} />
      <AddressField options={options} problem={problems.allowedIp} change={change} />
      <CheckField
        label={t('keep.label')}
        hint={t('keep.hint')}
        checked={preventBurn}
        disabled={isPublic}
        onChange={(preventBurn) => change({ preventBurn })}
      />
      <CheckField
        label={t('public.label')}
        hint={t('public.hint')}
        checked={isPublic}
        onChange={(isPublic) => change({ isPublic })}
      />
      {isPublic && (
        <Notice kind="warn" role="status" heading={t('public.warning.heading')}>
          {t('public.warning.explanation')}
        </Notice>
      )}
    </details>
  )
}

interface FieldProps<Name extends 'title' | 'allowedIp'> extends Pick<Props, 'options' | 'change'> {
  problem: Problems[Name]
}

function TitleField({ options: { title, isPublic }, problem, change }: FieldProps<'title'>) {
  const { t } = useTranslation('home')
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
  const { t } = useTranslation('home')
  const { limits } = useSettings().settings
  return (
    <Field
      label={t('address.label')}
      optional
      hint={isPublic && t('not-when-public')}
      error={problemMessage('allowedIp', problem, limits)}
    >
      {(control) => (
        <input
          {...control}
          className="mono"
          dir="ltr"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          disabled={isPublic}
          placeholder={t('address.placeholder')}
          value={allowedIp}
          onChange={({ target }) => change({ allowedIp: target.value })}
        />
      )}
    </Field>
  )
}

/** The options that are set, shown while the section is collapsed. */
function Chosen({ options: { title, allowedIp, preventBurn, isPublic } }: { options: Options }) {
  const { t } = useTranslation('home')
  const chosen = [
    title ? [t('title.label')] : [],
    allowedIp && !isPublic ? [isolateLtr(allowedIp)] : [],
    preventBurn && !isPublic ? [t('keep.label')] : [],
    isPublic ? [t('public.label')] : [],
  ]
  return chosen.flat().map((each) => (
    <span key={each} className="badge">
      {each}
    </span>
  ))
}
