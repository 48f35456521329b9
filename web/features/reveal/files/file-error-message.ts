import { t } from 'i18next'
import { errorMessage } from '../../../lib/error-message.js'

/** Why a file could not be downloaded. */
export function fileErrorMessage(error: unknown): string {
  if (error instanceof Error && error.name === 'NoSpaceError') return t('files:received.no-space')
  const isSealed = error instanceof Error && error.name === 'DecryptError'
  return isSealed ? t('files:received.altered') : errorMessage(error)
}
