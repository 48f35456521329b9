/** The slow half of sealing, away from the page's own thread. */
import type { ViewedSecret } from '#shared/api'
import { type AttachedFile, attachedFiles } from '#shared/attached-files'
import { decodeText, encodeText } from '#shared/envelope'
import { deriveKeys } from '#shared/keys'
import { parseFragment } from '#shared/link'
import { type Digest, newDigest, openPart, sealPart } from '#shared/parts'
import { type Draft, type Mismatch, openViewed, type Sealed, seal } from '#shared/sealing'

/** What opened: `text` is null when the bytes are not UTF-8. */
export interface Unsealed {
  title: string
  text: string | null
  bytes: Uint8Array<ArrayBuffer>
  files: AttachedFile[]
  mismatches: Mismatch[]
}

/** Of the file that is sent or received now. */
let digest: Digest = newDigest()

const jobs = {
  keys: (fragment: string, password?: string) => deriveKeys(parseFragment(fragment), password),

  /** Throws RangeError when the text holds half a character. */
  seal: async (draft: Omit<Draft, 'text'> & { text: string }): Promise<Sealed> =>
    seal({ ...draft, text: encodeText(draft.text) }),

  open: async (viewed: ViewedSecret, passphrase: string, maxTextBytes: number): Promise<Unsealed> => {
    const { header, text, mismatches } = await openViewed(viewed, passphrase, maxTextBytes)
    const files = attachedFiles(viewed, header)
    return { title: header.title, text: decodeText(text), bytes: new Uint8Array(text), files, mismatches }
  },

  sealPart,
  openPart,

  newDigest: async (): Promise<void> => {
    digest = newDigest()
  },
  digest: async (bytes: Uint8Array): Promise<void> => digest.update(bytes),
  digestHex: async (): Promise<string> => digest.hex(),
}

export type Jobs = typeof jobs

export interface Request {
  id: number
  job: keyof Jobs
  args: unknown[]
}

/** Errors do not survive the way as objects of their class: `name` and `problem` tell them apart. */
export interface Response {
  id: number
  result?: unknown
  error?: { name: string; message: string; problem?: string }
}

addEventListener('message', async ({ data: { id, job, args } }: MessageEvent<Request>) => {
  const answer = (response: Omit<Response, 'id'>, taken: Transferable[] = []) =>
    postMessage({ id, ...response }, { transfer: taken })
  try {
    const result = await (jobs[job] as (...args: unknown[]) => unknown)(...args)
    answer({ result }, result instanceof Uint8Array ? [result.buffer] : [])
  } catch (error) {
    const { name, message, problem } = error as Error & { problem?: string }
    answer({ error: { name, message, ...(problem && { problem }) } })
  }
})
