import { createContext, useContext } from 'react'
import type { Attachment, DroppedFiles } from './attachments.js'
import type { ExpiryOptions } from './expiry-options.js'

/** The options as the form holds them. */
export interface Options extends ExpiryOptions {
  views: string
  password: string
  title: string
  allowedIp: string
  preventBurn: boolean
  isPublic: boolean
  notify: boolean
  receipt: boolean
  /** E-mail addresses of named recipients. Absent: none. */
  recipients?: string
  /** The people who get a link each, one per line, or their number. */
  names?: string
}

const DEFAULT_OPTIONS: Options = {
  ttl: 86_400,
  amount: '2',
  unit: 'hour',
  views: '1',
  password: '',
  title: '',
  allowedIp: '',
  preventBurn: false,
  isPublic: false,
  notify: false,
  receipt: false,
}

/**
 * The secret that is being written. Kept in memory while other pages are open, until it is sent or the browser leaves.
 */
export class DraftStore {
  text = ''
  files: Attachment[] = []
  options = DEFAULT_OPTIONS
  /** `options` until the user changes one. */
  initial = DEFAULT_OPTIONS
  isMoreOpen = false
  /** The selection in the text field of the server-rendered page, until the app has taken it over. */
  selection: [number, number] | null = null
  /** The form of that page was sent. */
  isSendWanted = false
  /** Files that were dropped or pasted on that page. */
  added: DroppedFiles[] = []

  clear(): void {
    Object.assign(this, new DraftStore())
  }

  /** Takes over the input in the server-rendered page. Call it when the app replaces that page. */
  adoptEarlyForm(): void {
    const form = document.getElementById('early') as (HTMLFormElement & { added?: DroppedFiles[] }) | null
    if (!form) return
    const field = form[0] as HTMLTextAreaElement
    this.text = field.value
    this.isSendWanted = field.readOnly
    this.added = form.added ?? []
    if (document.activeElement === field) this.selection = [field.selectionStart, field.selectionEnd]
  }
}

export const DraftContext = createContext<DraftStore | null>(null)

/** The store does not cause a render: components copy the values that they show into their own state. */
export function useDraft(): DraftStore {
  const draft = useContext(DraftContext)
  if (!draft) throw new Error('no DraftContext')
  return draft
}
