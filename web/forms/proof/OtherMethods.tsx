import { useTranslation } from 'react-i18next'
import type { Form } from '../use-form.js'
import type { ProofMethods } from './use-proof-methods.js'

interface Props {
  methods: ProofMethods
  form: Pick<Form<never>, 'sendNow' | 'isSending' | 'reset'>
}

/** Buttons for the methods whose field is not shown. */
export function OtherMethods({ methods, form }: Props) {
  const { t } = useTranslation('proof')
  const { typed, hasPasskey, otherMethods, choose, choosePasskey } = methods
  const isPasskeyShown = hasPasskey && typed !== null
  if (!isPasskeyShown && otherMethods.length === 0) return null
  return (
    <div className="stack">
      {isPasskeyShown && (
        <button
          type="button"
          className="button whole"
          aria-disabled={form.isSending}
          onClick={() => {
            if (form.isSending) return
            choosePasskey()
            void form.sendNow()
          }}
        >
          {t('use.passkey')}
        </button>
      )}
      {otherMethods.map((method) => (
        <button
          key={method}
          type="button"
          className="button quiet whole"
          onClick={() => {
            form.reset()
            choose(method)
          }}
        >
          {t(`use.${method}`)}
        </button>
      ))}
    </div>
  )
}
