/** Files that are dropped or pasted anywhere on the page. */
import { useEffect, useRef, useState } from 'react'

/** What came in one go. `entries`: the same as `files` where the browser tells folders from files. */
export interface DroppedFiles {
  files: File[]
  entries: FileSystemEntry[]
}

/** Answers how many files are held over the page now. */
export function useFileDrop(onFiles: (incoming: DroppedFiles) => void): number {
  const [draggedCount, setHeld] = useState(0)
  const handler = useRef(onFiles)
  handler.current = onFiles

  useEffect(() => {
    // Every element that is entered or left tells of it.
    let depth = 0
    const track = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      // Otherwise the browser would leave the page and show the file instead.
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

/** Entries must be asked for during the event itself. */
function readDrop({ files, items }: DataTransfer): DroppedFiles {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  return { files: [...files], entries }
}
