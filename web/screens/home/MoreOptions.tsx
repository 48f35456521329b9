import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { leftToRight } from '../../format.js'
import { CheckField } from '../../parts/CheckField.js'
import { Field } from '../../parts/Field.js'
import { Notice } from '../../parts/Notice.js'
import { useSettings } from '../../settings.js'
import { kept, type Options, type Problems } from './draft.js'
import { problemText } from './problem-text.js'

interface Props {
  options: Options
  problems: Problems
  change(changed: Partial<Options>): void
}

export function MoreOptions({ options, problems, change }: Props) {
  const { t } = useTranslation('home')
  const { limits } = useSettings().settings
  const [isOpen, setOpen] = useState(kept.isMoreOpen)
  const { title, allowedIp, preventBurn, isPublic } = options
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => {
        kept.isMoreOpen = currentTarget.open
        setOpen(currentTarget.open)
      }}
    >
      <summary>
        {t('more.label')}
        {!isOpen && <Chosen options={options} />}
      </summary>
      <Field
        label={t('title.label')}
        optional
        hint={t(isPublic ? 'title.public-hint' : 'title.hint')}
        error={problemText('title', problems.title, limits)}
      >
        {(control) => (
          <input
            {...control}
            dir="auto"
            autoComplete="off"
            maxLength={255}
            value={title}
            onChange={({ target }) => change({ title: target.value })}
          />
        )}
      </Field>
      <Field
        label={t('address.label')}
        optional
        hint={isPublic && t('not-when-public')}
        error={problemText('allowedIp', problems.allowedIp, limits)}
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

/** What is set, while the options are folded. */
function Chosen({ options: { title, allowedIp, preventBurn, isPublic } }: { options: Options }) {
  const { t } = useTranslation('home')
  const chosen = [
    title ? [t('title.label')] : [],
    allowedIp && !isPublic ? [leftToRight(allowedIp)] : [],
    preventBurn && !isPublic ? [t('keep.label')] : [],
    isPublic ? [t('public.label')] : [],
  ]
  return chosen.flat().map((each) => (
    <span key={each} className="badge">
      {each}
    </span>
  ))
}
