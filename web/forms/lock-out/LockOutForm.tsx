import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Access } from '#shared/api'
import { ErrorNotice } from '../../components/ErrorNotice.js'
import { Loading } from '../../components/Loading.js'
import { FormDialog } from '../FormDialog.js'
import type { FormDialogState } from '../use-form-dialog.js'
import { KeepFields } from './KeepFields.js'
import type { KeptIds } from './kept-access.js'

interface Props {
  form: Pick<FormDialogState, 'dialog' | 'ref' | 'onSubmit' | 'isSending' | 'formError'>
  heading: string
  explanation?: ReactNode
  cancelLabel: string
  /** null: not loaded. `error`: why not, if that is known. */
  loaded: { value: Access | null; error: unknown }
  kept: KeptIds
  onChange(kept: KeptIds): void
  /** Shown at the sign-in methods. */
  keepError?: string | null
  onClosed(): void
  children?: ReactNode
}

/** A dialog that locks everyone out of an account, except the chosen access. `children` follow the choice. */
export function LockOutForm({ loaded, kept, onChange, keepError = null, children, ...dialog }: Props) {
  const { t } = useTranslation('access')
  const { value: access, error } = loaded
  const isLoading = access === null && error === null
  return (
    <FormDialog
      {...dialog}
      isDangerous
      isReady={access !== null}
      isLoading={isLoading}
      submitLabel={t('lock-out')}
      busyLabel={t('busy')}
    >
      <ErrorNotice error={error} />
      {isLoading && <Loading />}
      {access && <KeepFields access={access} kept={kept} onChange={onChange} error={keepError} />}
      {children}
    </FormDialog>
  )
}
