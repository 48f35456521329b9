/** Fixes of failures of the plugin smtp, by a pattern of its result. The first match counts. */
const HINTS: [RegExp, string][] = [
  [/self-signed|unknown authority/, 'trust the certificate with NODE_EXTRA_CA_CERTS, see docs/mail.md'],
  [/another host name/, 'set smtp.host to a name of the certificate of the mail server'],
  [/expired certificate/, 'renew the certificate of the mail server'],
  [/no STARTTLS/, 'turn on STARTTLS on the mail server, or use smtp.port=465 with smtp.tls=implicit'],
  [/no TLS on this port/, 'set smtp.tls=starttls, or use the port of the mail server for TLS'],
  [/for now/, 'wait some minutes, as for greylisting; the server sends its messages again by itself'],
  [/sign-in refused|EAUTH/, 'correct smtp.user and smtp.password'],
  [/sender refused/, 'set smtp.from to an address that the mail server accepts from smtp.user'],
  [/recipient refused/, 'check the address, and whether the mail server relays messages of this instance'],
  [/message refused/, 'read the log of the mail server; see docs/mail.md about SPF and DKIM'],
  [/ECONN|ETIMEDOUT|ENOTFOUND|EDNS|EAI_AGAIN/, 'check smtp.host, smtp.port and the firewall'],
]

/** Returns the fix of a failure; null: unknown. */
export const findMailHint = (result: string): string | null =>
  HINTS.find(([pattern]) => pattern.test(result))?.[1] ?? null
