/** Copies texts to the clipboard. The functions resolve with whether that succeeded. */

export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // No permission, or no clipboard API because the page is on plain HTTP.
    return copyBySelection(text)
  }
}

/**
 * Copies a text that is not available yet. Call it in the click handler: Safari rejects a write that starts after the
 * user gesture.
 */
export async function copyAsync(text: Promise<string>): Promise<boolean> {
  try {
    const blob = text.then((made) => new Blob([made], { type: 'text/plain' }))
    // Without a handler, a refused write would leave an unhandled rejection.
    blob.catch(() => {})
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
    return true
  } catch {
    return text.then(copyText, () => false)
  }
}

function copyBySelection(text: string): boolean {
  const focused = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'only-read'
  // Inside an open dialog, because everything else is inert.
  ;(document.querySelector('dialog[open]') ?? document.body).append(field)
  field.select()
  try {
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    field.remove()
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  }
}
