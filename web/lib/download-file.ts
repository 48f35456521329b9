/** Safari reads a blob only some time after the click. */
const REVOKE_AFTER_MS = 40_000

/**
 * Hands a file to the reader. Always as octets: a browser that opens a blob by itself would run what is inside an HTML or
 * SVG one in this page's origin.
 */
export function downloadFile(name: string, content: BlobPart): void {
  const address = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), REVOKE_AFTER_MS)
}
