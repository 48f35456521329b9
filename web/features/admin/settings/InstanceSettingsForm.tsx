import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { InstanceSettings as Settings } from '#shared/api'
import { ConfirmDialog } from '../../../components/ConfirmDialog.js'
import { Notice } from '../../../components/Notice.js'
import { LeaveGuard } from '../../../components/UnsavedChangesDialog.js'
import { CheckField } from '../../../forms/CheckField.js'
import { errorText } from '../../../lib/error-message.js'
import { useSettings } from '../../../lib/settings.js'
import { saveSettings } from '../admin-api.js'
import { DomainField } from './DomainField.js'
import { areDomains } from './email-domains.js'

type Switch = Exclude<keyof Settings, 'restrict_organization_email'>

/** How long other processes of the instance may still answer with the old settings. */
const SEEN_AFTER_MS = 2000

/** Nothing counts until it is saved. */
export function SettingsForm({ stored }: { stored: Settings }) {
  const { t } = useTranslation('admin')
  const { retry } = useSettings()
  const [saved, setSaved] = useState(stored)
  const [entries, setEntries] = useState(stored)
  const [outcome, setOutcome] = useState<'idle' | 'busy' | 'saved'>('idle')
  const [failure, setFailure] = useState<unknown>(null)
  const [wasTried, setTried] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const question = useRef<HTMLDialogElement>(null)
  const reseen = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(reseen.current), [])
  const changed = (Object.keys(saved) as (keyof Settings)[]).filter((name) => entries[name] !== saved[name])

  const change = (changes: Partial<Settings>) => {
    setEntries({ ...entries, ...changes })
    setOutcome('idle')
  }
  async function save(): Promise<void> {
    setOutcome('busy')
    setFailure(null)
    try {
      const now = await saveSettings(Object.fromEntries(changed.map((name) => [name, entries[name]])))
      setSaved(now)
      setEntries(now)
      setOutcome('saved')
      // The rest of the app obeys them, too.
      retry()
      reseen.current = setTimeout(retry, SEEN_AFTER_MS)
    } catch (error) {
      setFailure(error)
      setOutcome('idle')
    }
  }
  function submit(event: FormEvent): void {
    event.preventDefault()
    if (outcome === 'busy' || changed.length === 0) return
    if (!areDomains(entries.restrict_organization_email)) {
      setTried(true)
      form.current?.querySelector<HTMLElement>('[name=domains]')?.focus()
    } else if (entries.disable_users && !saved.disable_users) question.current?.showModal()
    else void save()
  }
  const discard = () => {
    setEntries(saved)
    setFailure(null)
    setTried(false)
  }
  const check = (name: Switch) => (
    <CheckField
      label={t(`settings.${name}.label`)}
      hint={t(`settings.${name}.hint`)}
      checked={entries[name]}
      onChange={(checked) => change({ [name]: checked })}
    />
  )
  return (
    <form ref={form} className="stack" noValidate onSubmit={submit}>
      <Group heading={t('settings.access')}>
        {check('read_only')}
        {check('disable_users')}
        {check('disable_user_account_creation')}
      </Group>
      <Group heading={t('settings.content')}>{check('disable_file_upload')}</Group>
      <Group heading={t('settings.sign-up')}>
        <DomainField
          value={entries.restrict_organization_email}
          wasTried={wasTried}
          change={(restrict_organization_email) => change({ restrict_organization_email })}
        />
      </Group>
      {failure !== null && (
        <Notice kind="bad" role="alert" heading={t('settings.failed')}>
          {errorText(failure)}
        </Notice>
      )}
      <div role="status">
        {outcome === 'saved' && <Notice kind="good">{t('settings.saved')}</Notice>}
        {changed.length > 0 && <p className="hint">{t('settings.unsaved', { count: changed.length })}</p>}
      </div>
      <div className="actions">
        <button
          type="submit"
          className={changed.length === 0 ? 'button primary locked' : 'button primary'}
          aria-disabled={outcome === 'busy' || changed.length === 0}
        >
          {t(outcome === 'busy' ? 'settings.saving' : 'settings.save')}
        </button>
        {changed.length > 0 && (
          <button type="button" className="button" onClick={discard}>
            {t('settings.discard')}
          </button>
        )}
      </div>
      <ConfirmDialog
        dialog={question}
        heading={t('disable-users.heading')}
        explanation={t('disable-users.explanation')}
        keep={t('cancel')}
        act={t('disable-users.action')}
        onAct={save}
      />
      {changed.length > 0 && (
        <LeaveGuard
          heading={t('leave.heading')}
          explanation={t('leave.explanation', { count: changed.length })}
          keep={t('leave.keep')}
          act={t('leave.action')}
        />
      )}
    </form>
  )
}

function Group({ heading, children }: { heading: string; children: ReactNode }) {
  const id = useId()
  return (
    <fieldset className="card" aria-labelledby={id}>
      <h2 id={id}>{heading}</h2>
      {children}
    </fieldset>
  )
}
