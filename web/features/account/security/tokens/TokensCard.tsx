import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useRevalidator } from 'react-router'
import type { CreatedToken, Token } from '#shared/api'
import { Link } from '../../../../components/Link.js'
import { paths } from '../../../../lib/paths.js'
import { useDeferredState } from '../../../../lib/use-deferred-state.js'
import { useFocusAfterClose } from '../../use-focus-after-close.js'
import { CreatedTokenCard } from './CreatedTokenCard.js'
import { NewTokenForm } from './NewTokenForm.js'
import { TokenTable } from './TokenTable.js'

/** The user's API tokens, the form for a new one, and the created token. */
export function TokensCard({ tokens }: { tokens: Token[] }) {
  const { t } = useTranslation('account')
  const { revalidate } = useRevalidator()
  const [isAsking, setAsking] = useDeferredState(false)
  const [created, setCreated] = useDeferredState<CreatedToken | null>(null)
  const isClosed = !isAsking && created === null
  const button = useFocusAfterClose(isClosed)
  // The form opens before a long table would be rendered again.
  const table = useMemo(() => <TokenTable tokens={tokens} onDelete={() => button.current?.focus()} />, [tokens, button])
  const take = async (token: CreatedToken) => {
    setAsking(false)
    setCreated(token)
    await revalidate()
  }
  return (
    <section className="card">
      <h2>{t('tokens.heading')}</h2>
      <p className="hint">
        {t('tokens.explanation')} <Link to={paths.apiDocs}>{t('tokens.docs')}</Link>
      </p>
      {created && <CreatedTokenCard created={created} onDone={() => setCreated(null)} />}
      {(isClosed || tokens.length > 0) && table}
      {isAsking && <NewTokenForm onCreate={take} onCancel={() => setAsking(false)} />}
      {isClosed && (
        <p>
          <button ref={button} type="button" className="button" onClick={() => setAsking(true)}>
            {t('tokens.new')}
          </button>
        </p>
      )}
    </section>
  )
}
