/**
 * Which tools this machine lacks. This is the only place that decides it, so that every test skips, or fails in CI, in
 * the same way.
 */
import { hasServer } from './connect-database.js'
import { hasRedis } from './redis.js'
import { hasS3Server } from './s3-server.js'
import { LOCAL_TOOLS, type SERVERS, type ToolName } from './tools.js'

const RESPONDS: Record<keyof typeof SERVERS, () => Promise<boolean>> = {
  postgres: () => hasServer('postgres'),
  mysql: () => hasServer('mysql'),
  s3: hasS3Server,
  redis: () => hasRedis(),
}

export async function findMissingTools(): Promise<ToolName[]> {
  const programs = namesOf(LOCAL_TOOLS).filter((name) => !LOCAL_TOOLS[name].isHere())
  const servers = namesOf(RESPONDS)
  const responds = await Promise.all(servers.map((name) => RESPONDS[name]()))
  return [...programs, ...servers.filter((_, index) => !responds[index])]
}

const namesOf = <T extends object>(tools: T) => Object.keys(tools) as (keyof T)[]
