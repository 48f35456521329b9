import { useTranslation } from 'react-i18next'
import { Field } from '../../../forms/Field.js'
import type { Options } from '../draft/draft-store.js'
import { parseNames } from './parse-names.js'

interface Props {
  options: Options
  change(changed: Partial<Options>): void
}

/** The people who get a link each. */
export function PeopleField({ options: { names = '', isPublic }, change }: Props) {
  const { t } = useTranslation('compose')
  return (
    <Field
      label={t('people.label')}
      optional
      hint={t(isPublic ? 'not-when-public' : 'people.hint')}
      error={isPublic || parseNames(names) !== null ? null : t('people.hint')}
    >
      {(control) => (
        <textarea
          {...control}
          rows={3}
          dir="auto"
          autoComplete="off"
          disabled={isPublic}
          value={names}
          onChange={({ target }) => change({ names: target.value })}
        />
      )}
    </Field>
  )
}
