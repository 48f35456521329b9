/** Downloads the files of a viewed secret. */
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '#shared/client/client'
import type { AttachedFile } from '#shared/client/viewed-content'
import { downloadFile } from '../../../lib/download-file.js'
import { hideWhenInactive } from '../../../lib/hide-when-inactive.js'
import { createSpeedMeter, type TransferState } from '../../../lib/transfers/transfer-speed.js'
import { createWorkerPool, type WorkerPool } from '../../../lib/transfers/worker-pool.js'
import { fetchFile } from './fetch-file.js'
import { uniqueFileNames } from './unique-file-names.js'

const ZIP_NAME = 'files.zip'

/** `id`: of the file that is being downloaded; null: all of them are. */
interface ActiveDownload {
  id: string | null
  state: TransferState
}

export interface Downloads {
  /** Safe and unique file names, in the order of the files. */
  names: string[]
  active: ActiveDownload | null
  /** Ids of the files that were saved. */
  saved: ReadonlySet<string>
  failed: ReadonlyMap<string, unknown>
  /** By file id. */
  previews: ReadonlyMap<string, Blob>
  /** The download tickets have expired. */
  hasExpired: boolean
  save(file: AttachedFile): void
  /** Shows an image preview with this media type. */
  show(file: AttachedFile, type: string): void
  hide(id: string): void
  saveAll(): void
  cancel(): void
}

/** `onSaved`: called with the ids of files that were handed to the downloads of the browser. */
export function useDownloads(secretId: string, files: AttachedFile[], onSaved: (ids: string[]) => void): Downloads {
  const [names] = useState(() => uniqueFileNames(files.map(({ name }) => name)))
  const [active, setActive] = useState<ActiveDownload | null>(null)
  const [saved, setSaved] = useState<ReadonlySet<string>>(new Set())
  const [previews, setPreviews] = useState<ReadonlyMap<string, Blob>>(new Map())
  const { run, cancel } = useTransfer()
  const { fetchOnce, isCached, failed, setFailed, hasExpired } = useFileCache(secretId)
  useEffect(() => hideWhenInactive(() => setPreviews(new Map())), [])

  async function start(work: Parameters<typeof run>[0]): Promise<void> {
    await run(async (pool, signal) => {
      setFailed(new Map())
      try {
        await work(pool, signal)
      } finally {
        setActive(null)
      }
    })
  }

  const saveToDisk = (name: string, blob: Blob, ids: string[]) => {
    downloadFile(name, blob)
    setSaved((saved) => new Set([...saved, ...ids]))
    onSaved(ids)
  }
  const nameOf = (file: AttachedFile) => names[files.indexOf(file)] ?? ZIP_NAME

  /** The bytes of several files count as one transfer. */
  const createReport = (id: string | null, fetched: AttachedFile[]): Report => {
    const toState = createSpeedMeter(fetched.reduce((sum, { size }) => sum + size, 0))
    const before = (file: AttachedFile) =>
      fetched.slice(0, Math.max(fetched.indexOf(file), 0)).reduce((sum, { size }) => sum + size, 0)
    return (file, done, isWaiting) => setActive({ id, state: toState(before(file) + done, isWaiting) })
  }
  const fetchAlone = (file: AttachedFile, pool: WorkerPool, signal: AbortSignal) =>
    fetchOnce(file, { pool, signal, report: createReport(file.id, [file]) })

  const save = (file: AttachedFile) =>
    void start(async (pool, signal) => {
      const blob = await fetchAlone(file, pool, signal)
      if (blob) saveToDisk(nameOf(file), blob, [file.id])
    })

  const hide = (id: string) => setPreviews((previews) => new Map([...previews].filter(([shown]) => shown !== id)))

  const show = (file: AttachedFile, type: string) =>
    void start(async (pool, signal) => {
      const blob = await fetchAlone(file, pool, signal)
      if (blob) setPreviews((previews) => new Map(previews).set(file.id, blob.slice(0, blob.size, type)))
    })

  /** Leaves out files that failed. */
  const saveAll = () =>
    void start(async (pool, signal) => {
      const inside: { id: string; name: string; input: Blob }[] = []
      const available = files.filter(({ ticket }) => ticket !== null)
      const report = createReport(
        null,
        available.filter((file) => !isCached(file)),
      )
      for (const file of available) {
        const input = await fetchOnce(file, { pool, signal, report })
        if (input) inside.push({ id: file.id, name: nameOf(file), input })
      }
      if (inside.length === 0) return
      const zip = await pool.zip(inside)
      const ids = inside.map(({ id }) => id)
      if (!signal.aborted) saveToDisk(ZIP_NAME, zip, ids)
    })

  return { names, active, saved, failed, previews, hasExpired, save, show, hide, saveAll, cancel }
}

/** Runs one transfer at a time. Starting another one does nothing. */
function useTransfer() {
  const abortController = useRef<AbortController | null>(null)
  useEffect(() => () => abortController.current?.abort(), [])

  async function run(work: (pool: WorkerPool, signal: AbortSignal) => Promise<void>): Promise<void> {
    if (abortController.current) return
    abortController.current = new AbortController()
    const { signal } = abortController.current
    const pool = createWorkerPool()
    signal.addEventListener('abort', pool.end)
    try {
      await work(pool, signal)
    } catch (error) {
      if (!signal.aborted) throw error
    } finally {
      pool.end()
      abortController.current = null
    }
  }
  return { run, cancel: () => abortController.current?.abort() }
}

/** `done`: bytes of the file. */
type Report = (file: AttachedFile, done: number, isWaiting: boolean) => void

/** Fetches each file once: the server deletes it soon after the view. */
function useFileCache(secretId: string) {
  const cache = useRef(new Map<string, Blob>())
  const [failed, setFailed] = useState<ReadonlyMap<string, unknown>>(new Map())
  const [hasExpired, setExpired] = useState(false)

  /** Null when it failed; the error is in `failed`. */
  async function fetchOnce(
    file: AttachedFile,
    { pool, signal, report }: { pool: WorkerPool; signal: AbortSignal; report: Report },
  ): Promise<Blob | null> {
    const { id } = file
    try {
      const onProgress = (done: number, isWaiting: boolean) => report(file, done, isWaiting)
      const options = { pool, signal, onProgress }
      const blob = cache.current.get(id) ?? (await fetchFile(secretId, file, options))
      cache.current.set(id, blob)
      return blob
    } catch (error) {
      if (signal.aborted) throw error
      if (error instanceof ApiError && error.code === 'file.not_found') setExpired(true)
      setFailed((failed) => new Map(failed).set(id, error))
      return null
    }
  }
  const isCached = ({ id }: AttachedFile) => cache.current.has(id)
  return { fetchOnce, isCached, failed, setFailed, hasExpired }
}
