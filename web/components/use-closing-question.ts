import { type RefObject, type SyntheticEvent, useState } from 'react'

/** Asks once before a dialog closes whose content was not saved, because it cannot be shown again. */
export function useClosingQuestion(dialog: RefObject<HTMLDialogElement | null>, wasSaved = false) {
  const [isSaved, setSaved] = useState(wasSaved)
  const [isAsking, setAsking] = useState(false)
  return {
    isAsking,
    markSaved() {
      setSaved(true)
      setAsking(false)
    },
    close(event: SyntheticEvent) {
      event.preventDefault()
      if (isSaved || isAsking) dialog.current?.close()
      else setAsking(true)
    },
  }
}
