/** The `age` program. */
import { spawnSync } from 'node:child_process'

/** It reads passphrases from its terminal only: `script` lends it one. */
export function runAge(args: string, passphrase: string): { status: number | null; output: string } {
  const { status, stdout } = spawnSync('script', ['-qec', `age ${args}`, '/dev/null'], {
    input: `${passphrase}\n${passphrase}\n`,
    encoding: 'utf8',
  })
  return { status, output: stdout }
}
