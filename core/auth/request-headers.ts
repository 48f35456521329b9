/** Values that sign-ups and sign-ins read from the headers of a request. */
export interface RequestHeaders {
  /** User-agent label. */
  client: string
  acceptLanguage?: string | undefined
}
