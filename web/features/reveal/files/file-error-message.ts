import { t } from 'i18next'
import { errorMessage } from '../../../lib/error-message.js'

/** Why a file could not be downloaded. */
export function fileErrorMessage(error: unknown): string {
  const isSealed = error instanceof Error && error.name === 'DecryptError'
  return isSealed ? t('files:received.altered') : errorMessage(error)
}
