/** Which code of one script ran, from the precise coverage of V8. */
import { type Profiler, Session } from 'node:inspector'

export interface Coverage {
  /** Whether a block ran for the first time since the last call. Its count does not matter. */
  hasNew(): boolean
  /**
   * Adds what ran since the last time. Returns the number of new blocks. A block that runs 2, 4, 8 … times is a new
   * one.
   */
  add(): number
  stop(): void
}

interface Block {
  place: string
  count: number
}

/** `url`: of the script. Functions of this thread only. */
export function startCoverage(url: string): Coverage {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  const seen = new Set<string>()
  const findBlocks = createBlockFinder()
  const takeBlocks = (): Block[] => {
    const blocks: Block[] = []
    // The reply is synchronous: the session is of this thread.
    session.post('Profiler.takePreciseCoverage', (error, { result }) => {
      if (error) throw error
      for (const { url: each, functions } of result) if (each === url) blocks.push(...functions.flatMap(findBlocks))
    })
    return blocks
  }
  return {
    hasNew: () => takeBlocks().some(({ place }) => !seen.has(place)),
    add() {
      const before = seen.size
      for (const { place, count } of takeBlocks()) seen.add(place).add(`${place} ${Math.floor(Math.log2(count))}`)
      return seen.size - before
    },
    stop: () => session.disconnect(),
  }
}

/**
 * V8 reports a block only where its count differs from the count of the block around it. Comparing with the blocks of
 * earlier runs finds a block that ran as often, or did not run.
 */
function createBlockFinder() {
  const known = new Map<number, Map<string, Profiler.CoverageRange>>()
  return ({ ranges }: Profiler.FunctionCoverage): Block[] => {
    const [whole] = ranges
    if (!whole || whole.count === 0) return []
    const blocks = known.get(whole.startOffset) ?? new Map<string, Profiler.CoverageRange>()
    known.set(whole.startOffset, blocks)
    for (const range of ranges) blocks.set(`${range.startOffset}-${range.endOffset}`, range)
    return [...blocks].flatMap(([place, block]) => {
      const count = ranges.findLast((range) => isInside(block, range))?.count ?? 0
      return count > 0 ? [{ place, count }] : []
    })
  }
}

/** Ranges of V8 are nested, the inner ones later. */
const isInside = (block: Profiler.CoverageRange, range: Profiler.CoverageRange): boolean =>
  range.startOffset <= block.startOffset && block.endOffset <= range.endOffset
