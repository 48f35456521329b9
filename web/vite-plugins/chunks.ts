/** Which modules of the app share a chunk. */
import { WEB } from './folders.js'

/**
 * What every page needs is one file: it compresses better than its parts and is fetched at once. Modules shared by several
 * other pages are grouped into few files, because the first page carries a list of all chunks.
 */
export const CHUNK_GROUPS = [
  { name: 'app', test: isOnEveryPage },
  { name: 'crypto-client', test: /web\/crypto-worker\/((crypto|rpc)-client|request-worker\.js\?)/ },
  {
    name: 'components',
    test: /web\/(components\/(BurnButton|ConfirmButton|ConfirmDialog|CopyButton|UnsavedChangesDialog)|features\/compose\/LinkActions|lib\/download-file)\./,
  },
  {
    name: 'requests',
    test: /web\/(crypto-worker\/request-crypto|lib\/request-api|components\/Request(Intro|LinkProblem))\./,
  },
  { name: 'lists', test: /web\/(components\/(EmptyState|Pagination|Table|RelativeTime)|lib\/pagination)\./ },
  {
    name: 'forms',
    test: /web\/(components\/ErrorNotice|forms\/(use-form|use-touched|validate-account)|lib\/(session\/session-ended|use-redirect-error)|features\/auth\/(auth-api|return-path|ProviderButtons|SetUpHint))\./,
  },
]

/** Modules of the app that the first page does not need. */
const NOT_ON_FIRST_PAGE = [
  /^(crypto-worker|vite-plugins|lib\/transfers)\//,
  // The form and the chunk for files share the limits of files.
  /^features\/(?!compose\/draft\/attachments\.)/,
  /^app\/\w+-routes\./,
  /^components\/(BurnButton|ConfirmButton|ConfirmDialog|CopyButton|EmptyState|ErrorNotice|LeaveTransferDialog|Pagination|RelativeTime|RequestIntro|RequestLinkProblem|Table|TransferProgress|UnsavedChangesDialog|UsageMeter)\./,
  /^forms\/(?!(CheckField|Field|PasswordInput)\.)/,
  /^lib\/(download-file|hide-when-inactive|pagination|random-hex|request-api|secret-labels|session\/(require-session|session-ended)|use-redirect-error)\./,
]

/** The libraries, the API client, the URLs of the workers except that for requests, and our own modules that the first page needs. */
function isOnEveryPage(id: string): boolean {
  if (id.includes('node_modules')) return /node_modules\/(react|scheduler|use-sync-external-store|i18next)/.test(id)
  if (/core\/shared\/(client|request)\.ts$/.test(id)) return true
  if (!id.startsWith(WEB)) return false
  const path = id.slice(WEB.length)
  if (id.includes('?worker&url')) return !id.includes('request-worker')
  return !NOT_ON_FIRST_PAGE.some((pattern) => pattern.test(path))
}
