/** Files attached to a draft, and their limits. */
import type { PublicSettings } from '#shared/api'

type Limits = PublicSettings['limits']

/** `entries`: the dropped files and folders, when the browser supports folders. */
export interface DroppedFiles {
  files: File[]
  entries: FileSystemEntry[]
}

export type AttachmentProblem = 'too-many' | 'too-large' | 'too-large-together'

export interface Attachment {
  /** Unique on this page. */
  id: number
  /** With the path of its folder, if it was dropped with one. */
  name: string
  file: File
}

export const totalSize = (files: Attachment[]): number => files.reduce((sum, { file }) => sum + file.size, 0)

/** Files of a public secret are sent inside the request, so only their total size is limited. */
export const isTooLarge = ({ file }: Attachment, isPublic: boolean, { maxFileBytes }: Limits): boolean =>
  !isPublic && file.size > maxFileBytes

export function findAttachmentProblem(
  files: Attachment[],
  isPublic: boolean,
  limits: Limits,
): AttachmentProblem | null {
  if (files.length > limits.maxFiles) return 'too-many'
  if (files.some((each) => isTooLarge(each, isPublic, limits))) return 'too-large'
  return isPublic && totalSize(files) > limits.maxTextBytes ? 'too-large-together' : null
}
