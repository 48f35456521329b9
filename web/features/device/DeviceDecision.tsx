import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PendingDeviceLogin } from '#shared/api'
import { ErrorNotice } from '../../components/ErrorNotice.js'
import { Link } from '../../components/Link.js'
import { Notice } from '../../components/Notice.js'
import { Page } from '../../components/Page.js'
import { RelativeTime } from '../../components/RelativeTime.js'
import { accountPaths } from '../../lib/account-paths.js'
import { sanitizeName } from '../../lib/format.js'
import { decideDeviceLogin } from './device-api.js'

interface Props {
  code: string
  login: PendingDeviceLogin
}

type State = 'open' | 'busy' | 'approved' | 'denied'

/** Shows the program that wants to sign in. */
export function DeviceDecision({ code, login }: Props) {
  const { t } = useTranslation('device')
  const [state, setState] = useState<State>('open')
  const [error, setError] = useState<unknown>(null)
  const decide = async (approve: boolean) => {
    if (state === 'busy') return
    setError(null)
    setState('busy')
    try {
      await decideDeviceLogin({ code, approve })
      setState(approve ? 'approved' : 'denied')
    } catch (cause) {
      setState('open')
      setError(cause)
    }
  }
  if (state === 'approved' || state === 'denied') return <Decided state={state} />
  const buttonProps = { type: 'button' as const, 'aria-disabled': state === 'busy' }
  return (
    <Page heading={t('heading')} lede={t('compare')} hasError={error !== null}>
      <ErrorNotice error={error} />
      <div className="card">
        <code className="link-box" translate="no">
          {code}
        </code>
        <LoginFacts login={login} />
        <Notice kind="warn" heading={t('warning.heading')}>
          {t('warning.explanation')}
        </Notice>
        <div className="actions">
          <button {...buttonProps} className="button primary" onClick={() => decide(true)}>
            {t('approve')}
          </button>
          <button {...buttonProps} className="button" onClick={() => decide(false)}>
            {t('deny')}
          </button>
        </div>
      </div>
    </Page>
  )
}

function LoginFacts({ login: { client, address, createdAt, scopes } }: Pick<Props, 'login'>) {
  const { t } = useTranslation('device')
  return (
    <dl className="facts">
      <Fact name={t('program')}>
        <bdi translate="no">{sanitizeName(client)}</bdi>
      </Fact>
      <Fact name={t('address')}>{address === null ? t('unknown') : <bdi dir="ltr">{address}</bdi>}</Fact>
      <Fact name={t('started')}>
        <RelativeTime at={createdAt} />
      </Fact>
      <Fact name={t('permissions')}>
        <ul className="bullets">
          {scopes.map((scope) => (
            <li key={scope}>{t(`scope.${SCOPE_KEYS[scope]}`)}</li>
          ))}
        </ul>
      </Fact>
    </dl>
  )
}

/** The locale key of each scope. A colon would separate a namespace. */
const SCOPE_KEYS = { 'secrets:create': 'create', 'secrets:read': 'read', account: 'account' } as const

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}

function Decided({ state }: { state: 'approved' | 'denied' }) {
  const { t } = useTranslation('device')
  return (
    <Page centered heading={t(`${state}.heading`)} lede={t(`${state}.explanation`)}>
      <p className="actions">
        <Link className="button" to={accountPaths.security}>
          {t('tokens')}
        </Link>
      </p>
    </Page>
  )
}
