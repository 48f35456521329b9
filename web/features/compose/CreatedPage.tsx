import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { BurnButton } from '../../components/BurnButton.js'
import { Notice } from '../../components/Notice.js'
import { Page } from '../../components/Page.js'
import { api } from '../../lib/api.js'
import { copyText } from '../../lib/clipboard.js'
import { errorMessage } from '../../lib/error-message.js'
import { formatDateTime } from '../../lib/format-time.js'
import { language } from '../../lib/i18n.js'
import { CreatedLinks, MissingPeople } from './CreatedLinks.js'
import type { CreatedLink, ShownLink } from './created-link.js'
import { LinkCard } from './LinkCard.js'
import { KeptLabel } from './link/KeptLabel.js'
import { Shortcuts } from './Shortcuts.js'

interface Props extends ShownLink {
  onAnother(): void
  onChanged(changed: Partial<ShownLink>): void
}

export function CreatedPage({ secret: created, copied, isBurned: wasBurned = false, onAnother, onChanged }: Props) {
  const { t } = useTranslation('compose')
  const [secret, setSecret] = useState(created)
  const [isCopied, setCopied] = useState<boolean | null>(null)
  const [isBurned, setBurned] = useState(wasBurned)
  const [error, setError] = useState<unknown>(null)
  useEffect(() => void copied.then(setCopied), [copied])

  const burn = async () => {
    setError(null)
    try {
      await api.burn(secret.id, { burnToken: secret.burnToken })
      setBurned(true)
      onChanged({ isBurned: true })
    } catch (cause) {
      setError(cause)
    }
  }
  const showRetried = (all: CreatedLink) => {
    setSecret(all)
    // The clipboard has the links that were there before.
    setCopied(null)
    onChanged({ secret: all })
  }
  if (isBurned) {
    return (
      <Page centered heading={t('burned.heading')} lede={t('burned.lede')}>
        <div className="actions">
          <AnotherButton onPress={onAnother} />
        </div>
      </Page>
    )
  }
  const date = formatDateTime(secret.expiresAt, language)
  const lede =
    secret.maxViews === null
      ? t(secret.kind === 'public' ? 'created.lede-public' : 'created.lede-kept', { date })
      : t('created.lede', { count: secret.maxViews, date })
  return (
    <Page heading={t(secret.people ? 'people.label' : 'created.heading')} lede={lede}>
      <div role="status">
        {isCopied === true && <Notice kind="good">{t('created.copied')}</Notice>}
        {isCopied === false && <Notice kind="info">{t('created.not-copied')}</Notice>}
        {secret.notifyWarning && <Notice kind="warn">{t(`notify.${secret.notifyWarning}`)}</Notice>}
      </div>
      {secret.missing && <MissingPeople missing={secret.missing} onRetried={showRetried} />}
      <Links secret={secret} />
      {error !== null && <Notice kind="bad" role="alert" heading={errorMessage(error)} />}
      <div className="between apart">
        <AnotherButton onPress={onAnother} />
        {!secret.people && <BurnButton isQuiet explanation={t('created.burn-explanation')} onBurn={burn} />}
      </div>
      <Shortcuts copy={() => void copyText(secret.link).then(setCopied)} startNew={onAnother} />
    </Page>
  )
}

/** Responds to the click before the form is rendered, which takes longer. */
function AnotherButton({ onPress }: { onPress(): void }) {
  const { t } = useTranslation('compose')
  const [isPressed, setPressed] = useState(false)
  const press = () => {
    setPressed(true)
    onPress()
  }
  return (
    <button type="button" className="button" aria-disabled={isPressed} onClick={press}>
      {t('created.another')}
    </button>
  )
}

function Links({ secret }: { secret: CreatedLink }) {
  const { people } = secret
  if (people) return <CreatedLinks people={people} />
  return (
    <>
      <LinkCard secret={secret} />
      <KeptLabel id={secret.id} expiresAt={secret.expiresAt} />
    </>
  )
}
