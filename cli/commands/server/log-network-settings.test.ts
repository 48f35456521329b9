import { expect, test } from 'vitest'
import { coreSettings } from '#config'
import { createLog, type RunningApp } from '#core/runtime'
import { logNetworkSettings } from './log-network-settings.js'

function warningsOf(publicUrl: string, storage: object, files: object | null): string[] {
  const settings = { ...coreSettings.parse({ publicUrl }), instanceBytes: null, anyAddress: false }
  const lines: string[] = []
  const log = createLog('warn', 'text', (line) => void lines.push(line))
  logNetworkSettings({ settings }, { storage, files } as Pick<RunningApp, 'storage' | 'files'>, log)
  return lines
}

test('V12.2.1: serve warns about connections without encryption', () => {
  const remote = { isUnencrypted: true, location: 'db.example.org/mayfly' }
  const local = { isUnencrypted: false, location: 'localhost/mayfly' }
  expect(warningsOf('https://secrets.example.org', local, local)).toEqual([])
  expect(warningsOf('http://localhost:3000', {}, null)).toEqual([])
  expect(warningsOf('http://secrets.example.org', remote, remote)).toEqual([
    expect.stringContaining('publicUrl is not https'),
    'warn: the connection to the database is not encrypted location="db.example.org/mayfly"\n',
    'warn: the connection to the file store is not encrypted location="db.example.org/mayfly"\n',
  ])
})
