/** Files of a public secret, encoded for the request that creates it. */
import type { CreateSecret } from '#shared/api'
import { safeFileName } from '#shared/file-name'
import type { Attachment } from '../draft/attachments.js'

type InlineFiles = NonNullable<CreateSecret['files']>

export const encodeInlineFiles = (files: Attachment[]): Promise<InlineFiles> =>
  Promise.all(
    files.map(async ({ name, file }) => {
      const content = await readBase64(file)
      return { name: safeFileName(name), content, ...(file.type && { type: file.type }) }
    }),
  )

function readBase64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '')
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
}
