import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Access } from '#shared/api'
import { CheckField } from '../CheckField.js'
import { type AccessGroup, listAccessGroups } from './access-groups.js'
import { isKeepable, KEEPABLE, type KeptIds } from './kept-access.js'

interface Props {
  access: Access
  kept: KeptIds
  onChange(kept: KeptIds): void
  /** Shown at the sign-in methods, whose checkboxes have the name `identities`. */
  error?: string | null
}

/** The exceptions of a lock-out, chosen one by one, and what it ends in any case. */
export function KeepFields({ access, kept, onChange, error = null }: Props) {
  const { t } = useTranslation('access')
  const groups = listAccessGroups(access)
  const keepable = groups.filter(({ kind }) => isKeepable(kind))
  const sessions = groups.find(({ kind }) => kind === 'session')
  return (
    <>
      {keepable.length > 0 && <p>{t('choose')}</p>}
      {keepable.map((group) => (
        <KeepGroup
          key={group.kind}
          group={group}
          kept={kept}
          onChange={onChange}
          error={group.kind === 'identity' ? error : null}
        />
      ))}
      <div>
        <p>{t('always')}</p>
        <ul className="bullets">
          {sessions?.items.map(({ id, name, hint }) => (
            <li key={id}>
              <bdi>{name}</bdi>
              <p className="hint">{hint}</p>
            </li>
          ))}
          <li>{t('devices')}</li>
          <li>{t('links')}</li>
        </ul>
      </div>
    </>
  )
}

function KeepGroup({ group, kept, onChange, error }: Omit<Props, 'access'> & { group: AccessGroup }) {
  const { t } = useTranslation('access')
  const id = useId()
  const { kind, items } = group
  if (!isKeepable(kind)) return null
  const name = KEEPABLE[kind]
  const toggle = (item: string, isKept: boolean) => {
    const others = kept[name].filter((each) => each !== item)
    onChange({ ...kept, [name]: isKept ? [...others, item] : others })
  }
  return (
    <fieldset className="stack" aria-describedby={error ? id : undefined}>
      <legend>{t(`kinds.${kind}`)}</legend>
      {items.map((item) => (
        <CheckField
          key={item.id}
          name={name}
          label={<bdi>{item.name}</bdi>}
          {...(item.hint !== '' && { hint: item.hint })}
          checked={kept[name].includes(item.id)}
          onChange={(isKept) => toggle(item.id, isKept)}
        />
      ))}
      {error && (
        <p className="error" id={id}>
          {error}
        </p>
      )}
    </fieldset>
  )
}
