/** A Debian in a folder, booted by systemd in namespaces: it has processes, mounts and a network of its own. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { vi } from 'vitest'

const ENV = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root', DEBIAN_FRONTEND: 'noninteractive' }
const NAMESPACES = ['--pid', '--mount', '--uts', '--ipc', '--net']

/** `pivot_root`, because a process in a chroot cannot create the user namespaces of services. */
const BOOT = `set -e
mount --make-rprivate /
mount --bind "$1" "$1"
cd "$1"
mount -t proc proc proc
mount -t sysfs sysfs sys
mount -t tmpfs tmpfs run
mount -t tmpfs tmpfs tmp
mount --rbind /dev dev
pivot_root . old-root
exec chroot . sh -c 'umount -l /old-root; exec env -i container=test PATH="$PATH" /lib/systemd/systemd --log-target=null'`

export interface DebianMachine {
  /** Runs a shell command as root. `folder`: another Debian, which uses the network of the machine. */
  run(command: string, options?: { input?: string; folder?: string }): Result
  stop(): Promise<void>
}

export interface Result {
  status: number | null
  stdout: string
  stderr: string
}

/** `folder`: a Debian with systemd. Resolves when the units have started. */
export async function bootDebian(folder: string): Promise<DebianMachine> {
  mkdirSync(join(folder, 'old-root'))
  const args = [...NAMESPACES, '--cgroup', '--fork', '--kill-child', 'sh', '-c', BOOT, 'sh', folder]
  const outer = spawn('unshare', args, { stdio: ['ignore', 'ignore', 'inherit'], env: ENV })
  await vi.waitFor(
    () => {
      const { stdout } = enter(NAMESPACES, outer, ['systemctl', 'is-system-running'])
      if (!/^(running|degraded)$/m.test(stdout)) throw new Error(`systemd has not started: ${stdout}`)
    },
    { timeout: 60_000, interval: 200 },
  )
  return {
    run: (command, { input, folder: other } = {}) =>
      other === undefined
        ? enter(NAMESPACES, outer, ['sh', '-c', command], input)
        : enter(['--net'], outer, ['chroot', other, 'sh', '-c', command], input),
    async stop() {
      const closed = once(outer, 'close')
      outer.kill('SIGKILL')
      await closed
    },
  }
}

/** Runs a program in namespaces of the first process that `outer` started. */
function enter(namespaces: string[], outer: ChildProcess, args: string[], input = ''): Result {
  const children = readFileSync(`/proc/${outer.pid}/task/${outer.pid}/children`, 'utf8')
  return spawnSync('nsenter', [`--target=${Number.parseInt(children, 10)}`, ...namespaces, ...args], {
    env: ENV,
    input,
    encoding: 'utf8',
  })
}
