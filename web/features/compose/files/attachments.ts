/** Files that were chosen, and what keeps them from being sent. */
import type { PublicSettings } from '#shared/api'

type Limits = PublicSettings['limits']

export type AttachmentProblem = 'too-many' | 'too-large' | 'too-large-together'

export interface Attachment {
  /** Unlike every other on this page. */
  id: number
  /** As it will be told to the reader: with its folder, if it came in one. */
  name: string
  file: File
}

export const totalSize = (files: Attachment[]): number => files.reduce((sum, { file }) => sum + file.size, 0)

/** Files of a public secret travel with its text, and are only measured together. */
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
