/** The files of an opened secret on their way to the reader's disk. */
import { useEffect, useRef, useState } from 'react'
import type { AttachedFile } from '#shared/attached-files'
import { ApiError } from '#shared/client'
import { saveFile } from '../../../lib/download-file.js'
import type { Reading } from '../../../lib/transfers/transfer-speed.js'
import { type Crew, startCrew } from '../../../lib/transfers/worker-pool.js'
import { hideWhenUnseen } from '../hide-when-inactive.js'
import { receive } from './fetch-file.js'
import { savedNames } from './unique-file-names.js'

const ZIP_NAME = 'files.zip'

/** A file that is being fetched. */
interface Underway {
  id: string
  reading: Reading
}

export interface Downloads {
  /** Fit to be shown and saved, in the order of the files. */
  names: string[]
  underway: Underway | null
  /** Ids of the files that were handed to the reader. */
  saved: ReadonlySet<string>
  failed: ReadonlyMap<string, unknown>
  /** By the ids of the files that are shown. */
  pictures: ReadonlyMap<string, Blob>
  /** The tickets have ended. */
  isOver: boolean
  save(file: AttachedFile): void
  /** As a picture of this type. */
  show(file: AttachedFile, type: string): void
  hide(id: string): void
  saveAll(): void
  cancel(): void
}

export function useDownloads(secretId: string, files: AttachedFile[]): Downloads {
  const [names] = useState(() => savedNames(files.map(({ name }) => name)))
  const [underway, setUnderway] = useState<Underway | null>(null)
  const [saved, setSaved] = useState<ReadonlySet<string>>(new Set())
  const [failed, setFailed] = useState<ReadonlyMap<string, unknown>>(new Map())
  const [pictures, setPictures] = useState<ReadonlyMap<string, Blob>>(new Map())
  const [isOver, setOver] = useState(false)
  // What has arrived is not fetched again: soon the server will not have it any more.
  const arrived = useRef(new Map<string, Blob>())
  const canceller = useRef<AbortController | null>(null)
  useEffect(() => () => canceller.current?.abort(), [])
  useEffect(() => hideWhenUnseen(() => setPictures(new Map())), [])

  /** Null when it failed, which is shown. */
  async function fetched(file: AttachedFile, crew: Crew, signal: AbortSignal): Promise<Blob | null> {
    const { id } = file
    try {
      const onProgress = (reading: Reading) => setUnderway({ id, reading })
      const blob = arrived.current.get(id) ?? (await receive(secretId, file, { crew, signal, onProgress }))
      arrived.current.set(id, blob)
      return blob
    } catch (error) {
      if (signal.aborted) throw error
      if (error instanceof ApiError && error.code === 'file.not_found') setOver(true)
      setFailed((failed) => new Map(failed).set(id, error))
      return null
    }
  }

  /** One thing at a time, until it is done or cancelled. */
  async function during(work: (crew: Crew, signal: AbortSignal) => Promise<void>): Promise<void> {
    if (canceller.current) return
    canceller.current = new AbortController()
    const { signal } = canceller.current
    const crew = startCrew()
    signal.addEventListener('abort', crew.end)
    setFailed(new Map())
    try {
      await work(crew, signal)
    } catch (error) {
      if (!signal.aborted) throw error
    } finally {
      crew.end()
      canceller.current = null
      setUnderway(null)
    }
  }

  const handOver = (name: string, blob: Blob, ids: string[]) => {
    saveFile(name, blob)
    setSaved((saved) => new Set([...saved, ...ids]))
  }
  const nameOf = (file: AttachedFile) => names[files.indexOf(file)] ?? ZIP_NAME

  const save = (file: AttachedFile) =>
    void during(async (crew, signal) => {
      const blob = await fetched(file, crew, signal)
      if (blob) handOver(nameOf(file), blob, [file.id])
    })

  const hide = (id: string) => setPictures((pictures) => new Map([...pictures].filter(([shown]) => shown !== id)))

  const show = (file: AttachedFile, type: string) =>
    void during(async (crew, signal) => {
      const blob = await fetched(file, crew, signal)
      if (blob) setPictures((pictures) => new Map(pictures).set(file.id, blob.slice(0, blob.size, type)))
    })

  /** What could not be fetched is left out, and shown to be. */
  const saveAll = () =>
    void during(async (crew, signal) => {
      const inside: { id: string; name: string; input: Blob }[] = []
      for (const file of files.filter(({ ticket }) => ticket !== null)) {
        const input = await fetched(file, crew, signal)
        if (input) inside.push({ id: file.id, name: nameOf(file), input })
      }
      if (inside.length === 0) return
      const zip = await crew.zip(inside)
      const ids = inside.map(({ id }) => id)
      if (!signal.aborted) handOver(ZIP_NAME, zip, ids)
    })

  const cancel = () => canceller.current?.abort()
  return { names, underway, saved, failed, pictures, isOver, save, show, hide, saveAll, cancel }
}
