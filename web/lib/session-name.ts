import { t } from 'i18next'
import { CLIENT_JOINT } from '#shared/account-limits'

/** Name of a session in the language of the page. `client`: of the API. */
export function sessionName(client: string): string {
  const [program = '', system] = client.split(CLIENT_JOINT)
  return system === undefined ? program || t('access:unknown') : t('access:client', { program, system })
}
