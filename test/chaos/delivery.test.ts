/**
 * A secret that was not delivered is not gone: every reader of the built program meets every kind of failure, with all
 * kinds of content by turns. After a failed attempt, the whole content is stored, or the next attempt of the same
 * command gets it.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { statfsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FaultyProxy } from '#test/faulty-proxy'
import {
  answering,
  breakingOff,
  type Fault,
  hangingUp,
  losingTheAnswer,
  passOn,
  startFaultyProxy,
} from '#test/faulty-proxy'
import { type LocalServer, startLocalServer } from '#test/local-server'
import { makeMemoryFolder } from '#test/memory-folder'
import { needs } from '#test/needs'
import { bareEnvironment, run } from '#test/run-cli'
import { mountSmallDisk, type SmallDisk } from '#test/small-disk'
import { CLI } from '#test/start-server'

const DISK_BYTES = 4 * 2 ** 20
/** Attempts that run at the same time, in all tests. Most of them wait for retries. */
const PARALLEL = 12

// Above the limit of `ulimit -f 256`, the size of a pipe and the size of a variable.
const LARGE_TEXT = Buffer.from(`${'päss ☃ '.repeat(60_000)}\n`)
const SHORT_TEXT = Buffer.from('päss "wörd" ☃\n')
const file = (bytes: number) => randomBytes(bytes)

interface Content {
  text: Buffer | null
  files: Record<string, Buffer>
}
const CONTENTS = {
  text: { text: LARGE_TEXT, files: {} },
  'a short text': { text: SHORT_TEXT, files: {} },
  'one file': { text: null, files: { 'Übersicht.bin': file(700_000) } },
  'several files': { text: SHORT_TEXT, files: { 'ä.bin': file(400_000), 'b.bin': file(0), 'c.bin': file(400_000) } },
} satisfies Record<string, Content>
type ContentName = keyof typeof CONTENTS

interface Reader {
  /** They take turns from failure to failure. */
  contents: ContentName[]
  isCollect?: true
  /** Line of shell. The content goes to `$PLACE/out` or, under its own names, to `$PLACE/in`. The link is on stdin. */
  line: string
}
const READERS = {
  'secret read': { contents: ['text', 'one file'], line: 'mayfly secret read - > "$PLACE/out"' },
  'secret read -o': { contents: ['text', 'one file'], line: 'mayfly secret read - -o "$PLACE/out"' },
  'secret read --out-dir': {
    contents: ['one file', 'several files'],
    line: 'mayfly secret read - --out-dir "$PLACE/in" > "$PLACE/out"',
  },
  run: {
    contents: ['a short text'],
    line: `{ printf V=; cat; } | mayfly run --links - -- sh -c 'printf "%s\\n" "$V" > "$PLACE/out"'`,
  },
  'run --as-file': {
    contents: ['text'],
    line: `{ printf V=; cat; } | mayfly run --links - --as-file V -- sh -c 'cp "$V" "$SAFE/out"'`,
  },
  inject: {
    contents: ['text'],
    line: `{ printf '{{ mayfly:'; tr -d '\\n'; echo ' }}'; } | mayfly inject > "$PLACE/out"`,
  },
  'inject -o': {
    contents: ['text'],
    line: `{ printf '{{ mayfly:'; tr -d '\\n'; echo ' }}'; } | mayfly inject -o "$PLACE/out"`,
  },
  'request collect': {
    contents: ['text', 'one file'],
    isCollect: true,
    line: 'mayfly request collect - > "$PLACE/out"',
  },
  'request collect --out-dir': {
    contents: ['several files'],
    isCollect: true,
    line: 'mayfly request collect - --out-dir "$PLACE/in" > "$PLACE/out"',
  },
} satisfies Record<string, Reader>
type ReaderName = keyof typeof READERS

interface Failure {
  /** Part of the content that fits on the disk. */
  room?: number
  /** Changes the line of the first attempt. */
  breakLine?(line: string): string
  fault?(cell: Cell): Fault
  /** The server restarts between the attempts of all cells. */
  restarts?: true
  readers?: ReaderName[]
  /** Exit code of the first attempt; default: any. */
  code?: number
}

const isView = (url = '') => /\/secret\/[^/]+$/.test(url)
const isDownload = (url = '') => url.endsWith('/download')
const isAck = (url = '') => url.endsWith('/ack')
const on =
  (matches: (url?: string) => boolean, fault: Fault): Fault =>
  (request, response, pass) =>
    (matches(request.url) ? fault : passOn)(request, response, pass)

/** The server has counted the view when the reader is killed. */
const killing =
  (cell: Cell, signal: NodeJS.Signals): Fault =>
  async (_, response, pass) => {
    await once((await pass()).resume(), 'end')
    if (cell.child?.pid) process.kill(-cell.child.pid, signal)
    response.destroy()
  }

/** The server processes the request, and the proxy reports an error of its own. */
const losingIn502: Fault = async (request, response, pass) => {
  await once((await pass()).resume(), 'end')
  await answering(502)(request, response, pass)
}

const ALL = Object.keys(READERS) as ReaderName[]
const ON_DISK = ALL.filter((name) => name !== 'run')
const TO_PIPE: ReaderName[] = ['secret read', 'inject', 'request collect']
/** For failures of one kind, which the same code handles: each reader meets one of `count`. */
const inTurns = (readers: ReaderName[], turn: number, count: number) => readers.filter((_, at) => at % count === turn)
const FAILURES: Record<string, Failure> = {
  'a full disk': { room: 0, readers: inTurns(ON_DISK, 0, 3), code: 10 },
  'a disk that fills up in the middle': { room: 0.5, readers: inTurns(ON_DISK, 1, 3), code: 10 },
  'a disk that fills up with the last bytes': { room: 1, readers: ON_DISK, code: 10 },
  'a limit of the file size': {
    breakLine: (line) => `ulimit -f 256; ${line}`,
    readers: inTurns(ON_DISK, 2, 3),
    code: 10,
  },
  'a closed pipe': {
    breakLine: (line) => line.replace('> "$PLACE/out"', '| head -c 1000 > "$PLACE/part"'),
    readers: TO_PIPE,
    code: 10,
  },
  'a named pipe whose reader goes away': {
    breakLine: (line) =>
      `mkfifo "$PLACE/pipe"; head -c 1000 "$PLACE/pipe" > /dev/null & ${line.replace('PLACE/out', 'PLACE/pipe')}`,
    readers: ['secret read -o'],
    code: 10,
  },
  'a closed stdout': { breakLine: (line) => line.replace('> "$PLACE/out"', '>&-'), readers: TO_PIPE, code: 2 },
  '/dev/full': { breakLine: (line) => line.replace('$PLACE/out', '/dev/full'), readers: TO_PIPE, code: 10 },
  'a reader that is killed after the view': { fault: (cell) => on(isView, killing(cell, 'SIGKILL')) },
  'Ctrl-C after the view': { fault: (cell) => on(isView, killing(cell, 'SIGINT')) },
  '502 after the view': { fault: () => on(isView, losingIn502), readers: inTurns(ALL, 0, 3), code: 6 },
  'a connection that breaks in the response': {
    fault: () => on(isView, breakingOff(200, 'cut')),
    readers: inTurns(ALL, 1, 3),
    code: 6,
  },
  'a reader that is killed during a download': {
    fault: (cell) => on(isDownload, killing(cell, 'SIGKILL')),
    readers: ['secret read', 'secret read --out-dir', 'request collect --out-dir'],
  },
  'a server that restarts after the view': {
    fault: () => on(isView, losingTheAnswer),
    restarts: true,
    readers: inTurns(ALL, 2, 3),
    code: 6,
  },
  'an acknowledgement that does not arrive': {
    fault: () => on(isAck, hangingUp),
    readers: inTurns(ALL, 0, 2),
    code: 0,
  },
  'an acknowledgement without a response': {
    fault: () => on(isAck, losingTheAnswer),
    readers: inTurns(ALL, 1, 2),
    code: 0,
  },
}

interface Cell {
  name: string
  reader: Reader
  content: Content
  link: string
  /** Working folder with `home`, `place` and `safe`. */
  folder: string
  proxy: FaultyProxy
  disk: SmallDisk | null
  child: ChildProcess | null
}

let root: string
let server: LocalServer
beforeAll(async () => {
  root = await makeMemoryFolder('mayfly-delivery-')
  server = await startServer(await mkdtemp(join(root, 'data-')))
})
afterAll(async () => {
  await server?.stop()
  await rm(root, { recursive: true, force: true })
})

const startServer = (dataDir: string) =>
  startLocalServer({
    dataDir,
    env: {
      MAYFLY_VISITOR_BYTES_PER_DAY: '10000000000',
      MAYFLY_MAX_OPEN_UPLOADS: '1000',
      // The second attempt waits for the first attempts of all tests.
      MAYFLY_READ_GRACE_SECONDS: '3600',
    },
    instanceSettings: { who_can_request: 'anyone' },
  })

describe('after a failure every reader has the whole content, or gets it with the next attempt', needs('mount'), () => {
  /** A server that restarts serves no other test. */
  let restarting: LocalServer
  const cellsOf = new Map<string, Cell[]>()
  // All of them before the first attempt: a command in this process expects that no processes are added meanwhile.
  beforeAll(async () => {
    restarting = await startServer(await mkdtemp(join(root, 'data-')))
    for (const [turn, [title, failure]] of Object.entries(FAILURES).entries()) {
      const { url } = failure.restarts ? restarting : server
      const made = (failure.readers ?? ALL).map((name, index) => {
        const { contents }: Reader = READERS[name]
        return createCell(url, name, contents[(turn + index) % contents.length] as ContentName, failure)
      })
      cellsOf.set(title, await Promise.all(made))
    }
  })
  afterAll(async () => {
    await restarting?.stop()
    for (const { proxy, disk } of [...cellsOf.values()].flat()) {
      await proxy.close()
      disk?.unmount()
    }
  })

  test.concurrent.each(Object.entries(FAILURES))('REL-26: %s', async (title, failure) => {
    const cells = cellsOf.get(title) ?? []
    expect(cells).not.toEqual([])
    const failed: Cell[] = []
    await forEachInTurn(cells, async (cell) => {
      if (failure.fault) cell.proxy.fail(failure.fault(cell))
      if (failure.room !== undefined) await fillDisk(cell, failure.room)
      const { code, stderr } = await attempt(cell, failure.breakLine?.(cell.reader.line) ?? cell.reader.line)
      const isThere = await hasArrived(cell)
      const what = `${cell.name}: ${stderr}`
      if (failure.code !== undefined) expect(code, what).toBe(failure.code)
      if (code === 0) expect(isThere, what).toBe(true)
      else expect(stderr, what).not.toMatch(/unexpected failure|\n\s+at |gone now/)
      if (!isThere) failed.push(cell)
    })
    if (failure.restarts) {
      await restarting.stop()
      restarting = await startServer(restarting.dataDir)
      for (const { proxy } of cells) proxy.retarget(restarting.url)
    }
    await forEachInTurn(failed, async (cell) => {
      cell.proxy.fail(null)
      await clear(cell)
      const { code, stderr } = await attempt(cell, cell.reader.line)
      expect({ code, isThere: await hasArrived(cell) }, `${cell.name}: ${stderr}`).toEqual({
        code: 0,
        isThere: true,
      })
      // The acknowledgement ends it: there is nothing left of the read.
      expect(await readdir(join(cell.folder, 'home/.local/state/mayfly/claims'))).toEqual([])
    })
  })
})

async function createCell(
  url: string,
  readerName: ReaderName,
  contentName: ContentName,
  { room }: Failure,
): Promise<Cell> {
  const [reader, content]: [Reader, Content] = [READERS[readerName], CONTENTS[contentName]]
  const folder = await mkdtemp(join(root, 'cell-'))
  for (const name of ['home', 'place', 'safe', 'files']) await mkdir(join(folder, name))
  const proxy = await startFaultyProxy(url)
  const created = reader.isCollect ? await submit(url, content, folder) : await create(url, content, folder)
  return {
    name: `${readerName}, ${contentName}`,
    reader,
    content,
    folder,
    proxy,
    link: created.replace(url, proxy.url),
    disk: room === undefined ? null : mountSmallDisk(DISK_BYTES),
    child: null,
  }
}

async function contentFlags({ text, files }: Content, folder: string): Promise<string[]> {
  const flags: string[] = []
  for (const [name, bytes] of Object.entries(files)) {
    await writeFile(join(folder, 'files', name), bytes)
    flags.push('--file', join(folder, 'files', name))
  }
  return text && flags.length > 0 ? [...flags, '--text', '-'] : flags
}

async function create(url: string, content: Content, folder: string): Promise<string> {
  const flags = await contentFlags(content, folder)
  return succeed(['secret', 'create', '--server', url, ...flags], content.text ?? '')
}

async function submit(url: string, content: Content, folder: string): Promise<string> {
  const collect = join(folder, 'collect.link')
  const link = await succeed(['request', 'create', '--server', url, '--collect-file', collect], '')
  await succeed(['request', 'submit', link, '--no-chomp', ...(await contentFlags(content, folder))], content.text ?? '')
  return (await readFile(collect, 'utf8')).trim()
}

async function succeed(args: string[], stdin: string | Buffer): Promise<string> {
  const { stdout, stderr, code } = await run(args, { stdin })
  expect(code, stderr).toBe(0)
  return stdout.toString().trim()
}

const placeOf = ({ disk, folder }: Cell) => disk?.folder ?? join(folder, 'place')

/** Runs a line in a process group of its own. */
async function attempt(cell: Cell, line: string): Promise<{ code: number | null; stderr: string }> {
  const script = `set -uo pipefail; mayfly() { '${process.execPath}' '${CLI}' "$@"; }; ${line}`
  const PLACE = placeOf(cell)
  const env = bareEnvironment({
    HOME: join(cell.folder, 'home'),
    PLACE,
    SAFE: join(cell.folder, 'safe'),
    XDG_RUNTIME_DIR: PLACE,
  })
  const child = spawn('bash', ['-c', script], { env, detached: true })
  cell.child = child
  const stderr: Buffer[] = []
  child.stderr.on('data', (chunk) => stderr.push(chunk))
  child.stdout.resume()
  child.stdin.on('error', () => {}).end(cell.link)
  const [code] = await once(child, 'close')
  return { code, stderr: `${Buffer.concat(stderr)}` }
}

async function fillDisk({ content: { text, files }, disk }: Cell, room: number): Promise<void> {
  if (!disk) return
  const largest = Math.max(text?.length ?? 0, ...Object.values(files).map(({ length }) => length))
  const { bavail, bsize } = statfsSync(disk.folder)
  const left = Math.floor((room * largest - 1) / bsize) * bsize
  await writeFile(join(disk.folder, 'ballast'), Buffer.alloc(bavail * bsize - Math.max(left, 0)))
}

async function clear(cell: Cell): Promise<void> {
  const place = placeOf(cell)
  for (const name of await readdir(place)) await rm(join(place, name), { recursive: true, force: true })
}

async function hasArrived(cell: Cell): Promise<boolean> {
  const { text, files } = cell.content
  const folder = cell.reader.line.includes('$SAFE') ? join(cell.folder, 'safe') : placeOf(cell)
  const isIn = async (path: string, bytes: Buffer) =>
    (await readFile(join(folder, path)).catch(() => null))?.equals(bytes) ?? false
  if (!cell.reader.line.includes('--out-dir')) return isIn('out', text ?? (Object.values(files)[0] as Buffer))
  const all = Object.entries(files).map(([name, bytes]) => isIn(join('in', name), bytes))
  return (await Promise.all([...all, isIn('out', text ?? Buffer.alloc(0))])).every(Boolean)
}

let running = 0
const waiting: (() => void)[] = []

/** Calls `work` with each item, at most `PARALLEL` times at once in all tests. */
async function forEachInTurn<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  const inTurn = async (item: T) => {
    if (running === PARALLEL) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      await work(item)
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
  await Promise.all(items.map(inTurn))
}
