import { spawnSync } from 'node:child_process'
import { setImmediate } from 'node:timers/promises'
import { buildSync } from 'esbuild'
import { expect, test } from 'vitest'
import { bufferLines } from './line-buffer.js'

test('V16.1.1: lines of one turn of the event loop are written in one piece, in order', async () => {
  const written: string[] = []
  const add = bufferLines((text) => written.push(text))
  add('one\n', 'info')
  add('two ☃\n', 'info')
  expect(written).toEqual([])
  await setImmediate()
  add('three\n', 'info')
  await setImmediate()
  expect(written).toEqual(['one\ntwo ☃\n', 'three\n'])
})

test('a warning is written at once, after the lines before it', () => {
  const written: string[] = []
  const add = bufferLines((text) => written.push(text))
  add('one\n', 'info')
  add('two\n', 'warn')
  expect(written).toEqual(['one\ntwo\n'])
})

test('lines are written when the process exits in the same turn', () => {
  const program = `
    import { bufferLines } from './line-buffer.ts'
    bufferLines((text) => process.stderr.write(text))('last line ☃\\n', 'info')
    process.exit(3)`
  const source = { contents: program, resolveDir: import.meta.dirname }
  const { outputFiles } = buildSync({ stdin: source, bundle: true, platform: 'node', write: false })
  const { status, stderr } = spawnSync(process.execPath, ['-e', outputFiles[0]?.text ?? ''], { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 3, stderr: 'last line ☃\n' })
})
