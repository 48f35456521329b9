import { expect, test } from 'vitest'
import { uniqueFileNames } from './unique-file-names.js'

test('uniqueFileNames returns safe names that differ in more than case', () => {
  const names = ['a.txt', 'A.TXT', 'a.txt', 'a (1).txt', '.env', '.env', '../../etc/passwd', 'x\u202egpj.exe', '']
  expect(uniqueFileNames(names)).toEqual([
    'a.txt',
    'A (1).TXT',
    'a (2).txt',
    'a (1) (1).txt',
    '.env',
    '.env (1)',
    '.._.._etc_passwd',
    'xgpj.exe',
    'file',
  ])
})
