import { useTranslation } from 'react-i18next'
import { endSessions } from '../admin/calls.js'
import { FormDialog } from './FormDialog.js'

interface Props {
  username: string
  onEnded(): void
  onClosed(): void
}

export function EndSessions({ username, onEnded, onClosed }: Props) {
  const { t } = useTranslation('admin')
  return (
    <FormDialog
      isDangerous
      heading={t('end-sessions.heading', { username })}
      explanation={t('end-sessions.explanation')}
      act={t('end-sessions.action')}
      busy={t('end-sessions.busy')}
      check={() => true}
      onSubmit={async () => {
        await endSessions(username)
        onEnded()
        return true
      }}
      onClosed={onClosed}
    >
      {() => null}
    </FormDialog>
  )
}
