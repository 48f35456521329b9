// Writes a .tar.gz that depends on nothing but the names and contents of its files.
import { readFileSync, writeFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { releaseTime } from './product.mjs'

/** `files`: path on disk, or content, by name in the archive. All belong to root and have the time of the release. */
export async function writeTar(target, files) {
  const archive = pack()
  const content = buffer(archive)
  const mtime = new Date(releaseTime * 1000)
  for (const name of Object.keys(files).sort()) {
    archive.entry(
      { name, mtime, mode: 0o644, uid: 0, gid: 0 },
      typeof files[name] === 'string' ? readFileSync(files[name]) : files[name],
    )
  }
  archive.finalize()
  writeFileSync(target, gzipSync(await content, { level: 9 }))
}
