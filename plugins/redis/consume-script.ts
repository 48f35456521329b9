/** The script that consumes points of one counter. Redis runs scripts one after the other, so the result is exact. */
import { defineScript } from '@redis/client'
import type { ConsumeRequest, ConsumeResult } from '#core'

/** The same arithmetic as `consumeFrom` of core. A counter is deleted by Redis after the length of its window. */
const SCRIPT = `
local now, points, limit, window = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local stored = redis.call('HMGET', KEYS[1], 'used', 'ends')
local used, ends = tonumber(stored[1]), tonumber(stored[2])
local isOpen = ends ~= nil and ends > now
if not isOpen then used, ends = 0, now end
if used + points > limit then return { 0, used, ends } end
if points == 0 then return { 1, used, ends } end
if not isOpen then
  ends = now + window
  redis.call('HSET', KEYS[1], 'used', string.format('%.0f', points), 'ends', string.format('%.0f', ends))
  redis.call('PEXPIRE', KEYS[1], string.format('%.0f', window))
  return { 1, points, ends }
end
return { 1, redis.call('HINCRBY', KEYS[1], 'used', string.format('%.0f', points)), ends }
`

export const consumeScript = defineScript({
  SCRIPT,
  NUMBER_OF_KEYS: 1,
  parseCommand(parser, key: string, { points, limit, windowMs }: ConsumeRequest, now: number) {
    parser.pushKey(key)
    parser.push(String(now), String(points), String(limit), String(windowMs))
  },
  transformReply(reply: unknown): ConsumeResult {
    const [granted, used, endsAt] = (reply as unknown[]).map(Number) as [number, number, number]
    return { granted: granted === 1, used, endsAt }
  },
})
