/** `mayfly request show`. */
import { readOpenedRequest } from '#shared/client/answer-request'
import { createRequestClient } from '#shared/client/request-client'
import { deriveCollectKeys, deriveShareKeys } from '#shared/crypto/request-keys'
import { decryptNote, type RequestNote } from '#shared/crypto/request-note'
import { LinkError } from '#shared/link'
import { parseCollectLink, parseRequestLink } from '#shared/parse-links'
import { connectToServer } from '../../client/connect.js'
import { formatTime } from '../../output/format-expiry.js'
import type { Io } from '../../output/io.js'
import { toSingleLine } from '../../output/sanitize.js'
import { parsePasted, readLink } from '../../secrets/resolve-link.js'
import type { GlobalFlags } from '../command.js'

/** Throws LinkError, CliError, ApiError, DecryptError or RequestTamperedError. */
export async function showRequest(word: string | undefined, flags: GlobalFlags, io: Io): Promise<void> {
  const link = await readLink(word, io)
  const facts = isCollectLink(link) ? await readCollected(link, flags, io) : await readOpened(link, flags, io)
  await io.writeResult(flags, facts, formatFacts(facts))
}

/** True also for a damaged one. */
function isCollectLink(link: string): boolean {
  try {
    parseCollectLink(link)
    return true
  } catch (error) {
    return !(error instanceof LinkError) || error.problem !== 'not-a-link'
  }
}

type Facts = Record<string, string | number | boolean | null | object[]>

async function readOpened(link: string, flags: GlobalFlags, io: Io): Promise<Facts> {
  const request = parsePasted(link, parseRequestLink, io)
  const { id, base, shareSecret } = request
  const { options } = await connectToServer(base, flags, io)
  const opened = await createRequestClient(options).open(id, deriveShareKeys(shareSecret).submitProof)
  return {
    id,
    ...((await readOpenedRequest(opened, request)) ?? NO_NOTE),
    expires_at: formatTime(opened.expiresAt),
    submissions_left: opened.submissionsLeft,
    files: opened.allowFiles,
    max_bytes: opened.maxBytes,
    max_file_bytes: opened.maxFileBytes,
  }
}

async function readCollected(link: string, flags: GlobalFlags, io: Io): Promise<Facts> {
  const { base, id, requestKey } = parsePasted(link, parseCollectLink, io)
  const { options } = await connectToServer(base, flags, io)
  const { collectProof, notePassphrase } = deriveCollectKeys(requestKey)
  const collected = await createRequestClient(options).collect(id, collectProof)
  return {
    id,
    ...(collected.note === null ? NO_NOTE : await decryptNote(collected.note, notePassphrase)),
    expires_at: formatTime(collected.expiresAt),
    submissions: collected.submissions.map((submission) => ({
      id: submission.id,
      opened: submission.viewed,
      files: submission.files,
      size: submission.size,
      created_at: formatTime(submission.createdAt),
      expires_at: formatTime(submission.expiresAt),
    })),
  }
}

const NO_NOTE: RequestNote = { title: '', instructions: '' }

/** A line per fact, and a line per submission. */
function formatFacts({ submissions, ...facts }: Facts): string {
  const lines = Object.entries(facts).map(([name, value]) => `${name}\t${toSingleLine(String(value ?? ''))}`)
  const rows = Array.isArray(submissions) ? submissions : []
  return `${[...lines, ...rows.map((row) => `submission\t${Object.values(row).join('\t')}`)].join('\n')}\n`
}
