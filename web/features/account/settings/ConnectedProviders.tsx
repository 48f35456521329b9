import { useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRevalidator } from 'react-router'
import type { Identities } from '#shared/api'
import { ApiError } from '#shared/client'
import { ErrorNotice } from '../../../components/ErrorNotice.js'
import { useSettings } from '../../../lib/settings.js'
import { withBase } from '../../../lib/site.js'
import { disconnectIdentity } from '../account-api.js'
import { ConfirmButton } from '../ConfirmButton.js'
import { useFocusAfterRemoval } from '../use-focus-after-removal.js'

/** Other ways to sign in to this account: those that are connected, and those that can be, by a link that leads there and back. */
export function ConnectedProviders({ identities }: { identities: Identities }) {
  const { t } = useTranslation('account')
  const { settings } = useSettings()
  const { revalidate } = useRevalidator()
  const id = useId()
  const [told, setTold] = useState('')
  const [failure, setFailure] = useState<unknown>(null)
  const place = useRef<HTMLElement>(null)
  const focusAfter = useFocusAfterRemoval(identities, place, 'li button', 'h2')
  const isConnected = (id: string) => identities.some(({ provider }) => provider === id)
  const others = settings.providers.filter(({ id, kind }) => kind === 'redirect' && !isConnected(id))
  if (others.length === 0 && identities.length === 0 && told === '') return null
  const end = async (at: number, provider: string, name: string) => {
    setFailure(null)
    setTold('')
    try {
      await disconnectIdentity(provider)
    } catch (error) {
      // It was disconnected meanwhile: what was wanted.
      if (!(error instanceof ApiError && error.code === 'identity.not_found')) return setFailure(error)
    }
    setTold(t('providers.disconnected', { provider: name }))
    focusAfter(at)
    await revalidate()
  }
  return (
    <section ref={place} className="card" aria-labelledby={id}>
      <h2 id={id} tabIndex={-1}>
        {t('providers.heading')}
      </h2>
      <p className="status" role="status">
        {told}
      </p>
      <ErrorNotice error={failure} />
      {identities.length > 0 && (
        <ul className="sessions">
          {identities.map(({ provider, label }, at) => {
            const name = label || provider
            return (
              <li key={provider} className="between">
                <p className="actions">
                  <strong>
                    <bdi>{name}</bdi>
                  </strong>
                  <span className="badge">{t('providers.connected')}</span>
                </p>
                <ConfirmButton
                  label={t('providers.disconnect')}
                  name={t('providers.disconnect-of', { provider: name })}
                  heading={t('providers.question', { provider: name })}
                  explanation={t('providers.consequence')}
                  cancelLabel={t('providers.keep')}
                  confirmLabel={t('providers.disconnect')}
                  onConfirm={() => end(at, provider, name)}
                />
              </li>
            )
          })}
        </ul>
      )}
      {others.length > 0 && (
        <>
          <p className="hint">{t('providers.explanation')}</p>
          <p className="actions">
            {others.map(({ id, label }) => (
              <a
                key={id}
                className="button"
                href={withBase(`/api/v1/authentication/${encodeURIComponent(id)}/connect`)}
              >
                <bdi>{t('providers.connect', { provider: label })}</bdi>
              </a>
            ))}
          </p>
        </>
      )}
    </section>
  )
}
