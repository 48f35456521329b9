/** Puts texts on the clipboard, also where the browser makes that hard. Each answers whether the clipboard really took it. */

export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // No permission, or no clipboard at all because the page is not on https.
    return copyBySelection(text)
  }
}

/**
 * For a text that is still being made. Call it in the click itself: Safari only takes what was promised during the
 * gesture, and a write that comes later is refused.
 */
export async function copyAsync(text: Promise<string>): Promise<boolean> {
  try {
    const blob = text.then((made) => new Blob([made], { type: 'text/plain' }))
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
  // Inside an open dialog, because everything outside of it is inert.
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
