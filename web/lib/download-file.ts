/** Safari reads the blob some time after the click. */
const REVOKE_AFTER_MS = 40_000

/**
 * Saves a file to disk. Always as `application/octet-stream`: a browser that opens the blob would run the scripts of an
 * HTML or SVG file in the origin of the app.
 */
export function downloadFile(name: string, content: BlobPart): void {
  const address = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), REVOKE_AFTER_MS)
}
