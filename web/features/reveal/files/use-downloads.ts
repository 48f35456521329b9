/** The files of an opened secret on their way to the reader's disk. */
import { useEffect, useRef, useState } from 'react'
import type { AttachedFile } from '#shared/attached-files'
import { ApiError } from '#shared/client'
import { downloadFile } from '../../../lib/download-file.js'
import type { TransferState } from '../../../lib/transfers/transfer-speed.js'
import { createWorkerPool, type WorkerPool } from '../../../lib/transfers/worker-pool.js'
import { hideWhenInactive } from '../hide-when-inactive.js'
import { fetchFile } from './fetch-file.js'
import { uniqueFileNames } from './unique-file-names.js'

const ZIP_NAME = 'files.zip'

/** A file that is being fetched. */
interface ActiveDownload {
  id: string
  reading: TransferState
}

export interface Downloads {
  /** Fit to be shown and saved, in the order of the files. */
  names: string[]
  active: ActiveDownload | null
  /** Ids of the files that were handed to the reader. */
  saved: ReadonlySet<string>
  failed: ReadonlyMap<string, unknown>
  /** By the ids of the files that are shown. */
  previews: ReadonlyMap<string, Blob>
  /** The tickets have ended. */
  hasExpired: boolean
  save(file: AttachedFile): void
  /** As a picture of this type. */
  show(file: AttachedFile, type: string): void
  hide(id: string): void
  saveAll(): void
  cancel(): void
}

export function useDownloads(secretId: string, files: AttachedFile[]): Downloads {
  const [names] = useState(() => uniqueFileNames(files.map(({ name }) => name)))
  const [active, setActive] = useState<ActiveDownload | null>(null)
  const [saved, setSaved] = useState<ReadonlySet<string>>(new Set())
  const [failed, setFailed] = useState<ReadonlyMap<string, unknown>>(new Map())
  const [previews, setPreviews] = useState<ReadonlyMap<string, Blob>>(new Map())
  const [hasExpired, setExpired] = useState(false)
  // What has arrived is not fetched again: soon the server will not have it any more.
  const cache = useRef(new Map<string, Blob>())
  const abortController = useRef<AbortController | null>(null)
  useEffect(() => () => abortController.current?.abort(), [])
  useEffect(() => hideWhenInactive(() => setPreviews(new Map())), [])

  /** Null when it failed, which is shown. */
  async function fetchOnce(file: AttachedFile, crew: WorkerPool, signal: AbortSignal): Promise<Blob | null> {
    const { id } = file
    try {
      const onProgress = (reading: TransferState) => setActive({ id, reading })
      const blob = cache.current.get(id) ?? (await fetchFile(secretId, file, { crew, signal, onProgress }))
      cache.current.set(id, blob)
      return blob
    } catch (error) {
      if (signal.aborted) throw error
      if (error instanceof ApiError && error.code === 'file.not_found') setExpired(true)
      setFailed((failed) => new Map(failed).set(id, error))
      return null
    }
  }

  /** One thing at a time, until it is done or cancelled. */
  async function runExclusive(work: (crew: WorkerPool, signal: AbortSignal) => Promise<void>): Promise<void> {
    if (abortController.current) return
    abortController.current = new AbortController()
    const { signal } = abortController.current
    const crew = createWorkerPool()
    signal.addEventListener('abort', crew.end)
    setFailed(new Map())
    try {
      await work(crew, signal)
    } catch (error) {
      if (!signal.aborted) throw error
    } finally {
      crew.end()
      abortController.current = null
      setActive(null)
    }
  }

  const saveToDisk = (name: string, blob: Blob, ids: string[]) => {
    downloadFile(name, blob)
    setSaved((saved) => new Set([...saved, ...ids]))
  }
  const nameOf = (file: AttachedFile) => names[files.indexOf(file)] ?? ZIP_NAME

  const save = (file: AttachedFile) =>
    void runExclusive(async (crew, signal) => {
      const blob = await fetchOnce(file, crew, signal)
      if (blob) saveToDisk(nameOf(file), blob, [file.id])
    })

  const hide = (id: string) => setPreviews((previews) => new Map([...previews].filter(([shown]) => shown !== id)))

  const show = (file: AttachedFile, type: string) =>
    void runExclusive(async (crew, signal) => {
      const blob = await fetchOnce(file, crew, signal)
      if (blob) setPreviews((previews) => new Map(previews).set(file.id, blob.slice(0, blob.size, type)))
    })

  /** What could not be fetched is left out, and shown to be. */
  const saveAll = () =>
    void runExclusive(async (crew, signal) => {
      const inside: { id: string; name: string; input: Blob }[] = []
      for (const file of files.filter(({ ticket }) => ticket !== null)) {
        const input = await fetchOnce(file, crew, signal)
        if (input) inside.push({ id: file.id, name: nameOf(file), input })
      }
      if (inside.length === 0) return
      const zip = await crew.zip(inside)
      const ids = inside.map(({ id }) => id)
      if (!signal.aborted) saveToDisk(ZIP_NAME, zip, ids)
    })

  const cancel = () => abortController.current?.abort()
  return { names, active, saved, failed, previews, hasExpired, save, show, hide, saveAll, cancel }
}
