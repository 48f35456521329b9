import { useTranslation } from 'react-i18next'
import { FormDialog } from '../../../forms/FormDialog.js'
import { endSessions } from '../admin-api.js'

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
      explanation={<p>{t('end-sessions.explanation')}</p>}
      keep={t('cancel')}
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
