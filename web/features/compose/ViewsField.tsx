import { useTranslation } from 'react-i18next'
import { Field } from '../../forms/Field.js'
import { useSettings } from '../../lib/settings.js'
import type { Options } from './draft/draft-store.js'
import { problemMessage } from './draft/problem-message.js'
import { type Problems, parseViews } from './draft/validate-draft.js'

interface Props {
  options: Options
  problem: Problems['maxViews']
  change(changed: Partial<Options>): void
}

export function ViewsField({ options, problem, change }: Props) {
  const { t } = useTranslation('compose')
  const { limits } = useSettings().settings
  const isOff = options.isPublic || options.preventBurn
  const step = (by: number) => {
    const views = Math.min(Math.max((parseViews(options) || 0) + by, 1), limits.maxViews)
    change({ views: String(views) })
  }
  if (limits.maxViews === 1) return <p className="hint field">{t('views.once')}</p>
  return (
    <Field
      label={t('views.label')}
      hint={isOff && t('views.not-limited')}
      error={isOff ? null : problemMessage('maxViews', problem, limits)}
    >
      {(control) => (
        <div className="stepper">
          <button
            type="button"
            className="button"
            disabled={isOff}
            aria-label={t('views.fewer')}
            onClick={() => step(-1)}
          >
            −
          </button>
          <input
            {...control}
            inputMode="numeric"
            autoComplete="off"
            disabled={isOff}
            value={options.views}
            onChange={({ target }) => change({ views: target.value.trim() })}
          />
          <button
            type="button"
            className="button"
            disabled={isOff}
            aria-label={t('views.more')}
            onClick={() => step(1)}
          >
            +
          </button>
        </div>
      )}
    </Field>
  )
}
