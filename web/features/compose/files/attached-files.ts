/** Files that were chosen, and what keeps them from being sent. */
import type { PublicSettings } from '#shared/api'

type Limits = PublicSettings['limits']

export type FilesProblem = 'too-many' | 'too-large' | 'too-large-together'

export interface Attached {
  /** Unlike every other on this page. */
  id: number
  /** As it will be told to the reader: with its folder, if it came in one. */
  name: string
  file: File
}

export const totalSize = (files: Attached[]): number => files.reduce((sum, { file }) => sum + file.size, 0)

/** Files of a public secret travel with its text, and are only measured together. */
export const isTooLarge = ({ file }: Attached, isPublic: boolean, { maxFileBytes }: Limits): boolean =>
  !isPublic && file.size > maxFileBytes

export function fileProblem(files: Attached[], isPublic: boolean, limits: Limits): FilesProblem | null {
  if (files.length > limits.maxFiles) return 'too-many'
  if (files.some((each) => isTooLarge(each, isPublic, limits))) return 'too-large'
  return isPublic && totalSize(files) > limits.maxTextBytes ? 'too-large-together' : null
}
