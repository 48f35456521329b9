import { useCallback, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmButton } from '../../../components/ConfirmButton.js'
import { Dialog } from '../../../components/Dialog.js'
import { Loading } from '../../../components/Loading.js'
import { Outcome } from '../../../components/Outcome.js'
import {
  type AccessGroup,
  type AccessItem,
  type AccessKind,
  listAccessGroups,
} from '../../../forms/lock-out/access-groups.js'
import { useAttempt } from '../../../lib/use-attempt.js'
import { useLoaded } from '../../../lib/use-loaded.js'
import { adminApi } from '../admin-api.js'

interface Props {
  username: string
  onClosed(): void
}

/** Everything that can use an account, with a button to end each. */
export function AccessDialog({ username, onClosed }: Props) {
  const { t } = useTranslation('admin')
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const load = useCallback(() => adminApi.listAccess(username), [username])
  const { value: access, setValue: setAccess, error: loadError } = useLoaded(load)
  const { error, attempt } = useAttempt()
  const [ended, setEnded] = useState('')
  const groups = access ? listAccessGroups(access) : []
  const end = async (kind: AccessKind, item: AccessItem) => {
    const revoke = () => adminApi.revokeAccess({ username, kind, id: item.id })
    const isEnded = await attempt(revoke, 'access.not_found')
    if (!isEnded || !(await attempt(async () => setAccess(await load())))) return
    setEnded(t('access.ended', { name: item.name }))
    // The button that had the focus is gone.
    heading.current?.focus()
  }
  return (
    <Dialog dialog={dialog} labelledBy={id} onClosed={onClosed}>
      <div className="dialog stack">
        <h2 ref={heading} id={id} tabIndex={-1}>
          {t('users.access', { username })}
        </h2>
        <Outcome message={ended} error={error ?? loadError} />
        {access === null && loadError === null && <Loading />}
        {access !== null && groups.length === 0 && <p className="muted">{t('access.none')}</p>}
        {groups.map((group) => (
          <AccessList key={group.kind} group={group} onEnd={(item) => end(group.kind, item)} />
        ))}
        <div className="actions end">
          <button type="button" className="button" onClick={() => dialog.current?.close()}>
            {t('ready.done')}
          </button>
        </div>
      </div>
    </Dialog>
  )
}

function AccessList({ group: { kind, items }, onEnd }: { group: AccessGroup; onEnd(item: AccessItem): void }) {
  const { t } = useTranslation('admin')
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{t(`access:kinds.${kind}`)}</h3>
      <ul className="sessions">
        {items.map((item) => (
          <li key={item.id} className="between">
            <div>
              <strong>
                <bdi>{item.name}</bdi>
              </strong>
              {item.hint !== '' && <p className="hint">{item.hint}</p>}
            </div>
            <ConfirmButton
              label={t('access.end')}
              name={t('access.end-of', { name: item.name })}
              heading={t('access.end-of', { name: item.name })}
              explanation={t('access.consequence')}
              cancelLabel={t('cancel')}
              confirmLabel={t('access.end')}
              onConfirm={() => onEnd(item)}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}
