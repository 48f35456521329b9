import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRevalidator } from 'react-router'
import type { Identities, PublicSettings } from '#shared/api'
import { Card } from '../../../components/Card.js'
import { ConfirmButton } from '../../../components/ConfirmButton.js'
import { useRedirectError } from '../../../lib/session/use-redirect-error.js'
import { useSettings } from '../../../lib/settings.js'
import { useAttempt } from '../../../lib/use-attempt.js'
import { connectIdentity, disconnectIdentity } from '../account-api.js'
import { useFocusAfterRemoval } from '../use-focus-after-removal.js'

/** External identities of the account: the connected ones, and buttons that connect others. */
export function ConnectedProviders({ identities }: { identities: Identities }) {
  const { t } = useTranslation('account')
  const { settings } = useSettings()
  const { revalidate } = useRevalidator()
  const [message, setMessage] = useState('')
  const { error, attempt } = useAttempt(useRedirectError())
  const container = useRef<HTMLElement>(null)
  const focusAfter = useFocusAfterRemoval(identities, container, 'li button', 'h2')
  const isConnected = (id: string) => identities.some(({ provider }) => provider === id)
  const others = settings.providers.filter(({ id, kind }) => kind === 'redirect' && !isConnected(id))
  if (others.length === 0 && identities.length === 0 && message === '' && error === null) return null
  const disconnect = async (index: number, provider: string, name: string) => {
    setMessage('')
    if (!(await attempt(() => disconnectIdentity(provider), 'identity.not_found'))) return
    setMessage(t('providers.disconnected', { provider: name }))
    focusAfter(index)
    await revalidate()
  }
  const connect = (provider: string) => {
    setMessage('')
    void attempt(async () => location.assign((await connectIdentity(provider)).url))
  }
  return (
    <Card ref={container} heading={t('providers.heading')} outcome={{ message, error }}>
      {identities.length > 0 && <IdentityList identities={identities} onDisconnect={disconnect} />}
      {others.length > 0 && <ConnectButtons providers={others} onConnect={connect} />}
    </Card>
  )
}

interface ListProps {
  identities: Identities
  onDisconnect(index: number, provider: string, name: string): void
}

function IdentityList({ identities, onDisconnect }: ListProps) {
  const { t } = useTranslation('account')
  return (
    <ul className="sessions">
      {identities.map(({ provider, label }, index) => {
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
              onConfirm={() => onDisconnect(index, provider, name)}
            />
          </li>
        )
      })}
    </ul>
  )
}

interface ButtonsProps extends Pick<PublicSettings, 'providers'> {
  onConnect(provider: string): void
}

function ConnectButtons({ providers, onConnect }: ButtonsProps) {
  const { t } = useTranslation('account')
  return (
    <>
      <p className="hint">{t('providers.explanation')}</p>
      <p className="actions">
        {providers.map(({ id, label }) => (
          <button key={id} type="button" className="button" onClick={() => onConnect(id)}>
            <bdi>{t('providers.connect', { provider: label })}</bdi>
          </button>
        ))}
      </p>
    </>
  )
}
