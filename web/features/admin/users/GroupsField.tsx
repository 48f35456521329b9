import { useTranslation } from 'react-i18next'
import { GROUP_NAME_MAX, GROUPS_MAX } from '#shared/policies'
import { Field } from '../../../forms/Field.js'
import type { Form } from '../../../forms/use-form.js'
import { formatNumber } from '../../../lib/format.js'
import { language } from '../../../lib/i18n.js'

interface Props {
  form: Pick<Form<'groups'>, 'fieldError'>
  /** One group per line. */
  text: string
  change(text: string): void
}

export function GroupsField({ form, text, change }: Props) {
  const { t } = useTranslation('admin')
  const limits = { groups: formatNumber(GROUPS_MAX, language), characters: formatNumber(GROUP_NAME_MAX, language) }
  return (
    <Field
      label={t('edit.groups')}
      optional
      hint={t('edit.groups-hint')}
      error={form.fieldError('groups', t('edit.groups-wrong', limits))}
    >
      {(control) => (
        <textarea
          {...control}
          name="groups"
          rows={2}
          dir="auto"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={text}
          onChange={({ target }) => change(target.value)}
        />
      )}
    </Field>
  )
}

/** The groups of the lines; null: too many, or one is too long. */
export function parseGroups(text: string): string[] | null {
  const names = text.split('\n').flatMap((line) => line.trim() || [])
  return names.length > GROUPS_MAX || names.some((name) => name.length > GROUP_NAME_MAX) ? null : names
}
