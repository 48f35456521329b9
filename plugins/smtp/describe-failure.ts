/** Errors of nodemailer, without the messages of mail servers, which may contain addresses. */
import { lookUp } from '#shared/look-up'
export interface Failure {
  /**
   * Describes a failure with the code of the mail server or of Node.js, such as `recipient refused (SMTP 550)` or
   * `ECONNREFUSED`.
   */
  result: string
  isPermanent: boolean
}

interface MailError extends Error {
  code?: string
  /** Code of Node.js, which `code` replaces. */
  originalCode?: string
  responseCode?: number
  command?: string
}

const TLS_FAULTS: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self-signed certificate',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate of an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate of an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate of an unknown authority',
  CERT_HAS_EXPIRED: 'expired certificate',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate for another host name',
  ERR_SSL_WRONG_VERSION_NUMBER: 'no TLS on this port',
}

/** By the command that the mail server refused. */
const REFUSALS: [command: RegExp, what: string][] = [
  [/^AUTH/, 'sign-in refused'],
  [/^MAIL FROM/, 'sender refused'],
  [/^RCPT TO/, 'recipient refused'],
  [/^DATA/, 'message refused'],
]

export function describeFailure(error: unknown): Failure {
  if (!(error instanceof Error)) return { result: 'unknown', isPermanent: false }
  const { code, originalCode, responseCode, command = '' } = error as MailError
  if (responseCode === undefined)
    return { result: describeFault(originalCode ?? code ?? error.name), isPermanent: false }
  const isRefusal = responseCode >= 500 && responseCode < 600
  // Refusals of the sender or of its sign-in end when the operator corrects the settings.
  const isPermanent = isRefusal && (command === 'RCPT TO' || command === 'DATA')
  return { result: `${describeRefusal(command, isRefusal)} (SMTP ${responseCode})`, isPermanent }
}

function describeFault(code: string): string {
  const fault = lookUp(TLS_FAULTS, code)
  return fault === undefined ? code : `${fault} (${code})`
}

function describeRefusal(command: string, isRefusal: boolean): string {
  if (command === 'STARTTLS') return 'no STARTTLS'
  const what = REFUSALS.find(([pattern]) => pattern.test(command))?.[1] ?? 'connection refused'
  return isRefusal ? what : `${what} for now`
}
