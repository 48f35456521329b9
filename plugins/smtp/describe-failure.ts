/** Errors of nodemailer, without the messages of mail servers, which may contain addresses. */
export interface Failure {
  /** Such as `SMTP 550` or `ECONNREFUSED`. */
  result: string
  isPermanent: boolean
}

export function describeFailure(error: unknown): Failure {
  if (!(error instanceof Error)) return { result: 'unknown', isPermanent: false }
  const { code, responseCode, command } = error as Error & { code?: string; responseCode?: number; command?: string }
  const isRefusal = responseCode !== undefined && responseCode >= 500 && responseCode < 600
  // Refusals of the sender or of its sign-in end when the operator corrects the settings.
  const isPermanent = isRefusal && (command === 'RCPT TO' || command === 'DATA')
  return { result: responseCode === undefined ? (code ?? error.name) : `SMTP ${responseCode}`, isPermanent }
}
