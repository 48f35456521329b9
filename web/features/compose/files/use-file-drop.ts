/** Files that are dropped or pasted anywhere on the page. */
import { useEffect, useRef, useState } from 'react'
import type { DroppedFiles } from '../draft/attachments.js'

/** Returns the number of files that are dragged over the page. */
export function useFileDrop(onFiles: (incoming: DroppedFiles) => void): number {
  const [draggedCount, setHeld] = useState(0)
  const handler = useRef(onFiles)
  handler.current = onFiles

  useEffect(() => {
    // Every element that is entered or left sends an event.
    let depth = 0
    const track = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      // Else the browser would navigate to the file.
      event.preventDefault()
      if (event.type === 'dragenter') depth += 1
      if (event.type === 'dragleave') depth -= 1
      if (event.type === 'drop') depth = 0
      setHeld(depth > 0 ? event.dataTransfer.items.length : 0)
      if (event.type === 'drop') handler.current(readDrop(event.dataTransfer))
    }
    const paste = (event: ClipboardEvent) => {
      const { files, types } = event.clipboardData ?? {}
      if (!files?.length || types?.includes('text/plain')) return
      event.preventDefault()
      handler.current({ files: [...files], entries: [] })
    }
    const drags = ['dragenter', 'dragover', 'dragleave', 'drop'] as const
    for (const each of drags) addEventListener(each, track)
    addEventListener('paste', paste)
    return () => {
      for (const each of drags) removeEventListener(each, track)
      removeEventListener('paste', paste)
    }
  }, [])
  return draggedCount
}

/** Entries are only available during the event. */
function readDrop({ files, items }: DataTransfer): DroppedFiles {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  return { files: [...files], entries }
}
