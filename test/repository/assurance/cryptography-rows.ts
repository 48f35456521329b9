import type { Row } from './row.js'

export const CRYPTOGRAPHY_ROWS: Row[] = [
  {
    id: 'CRY-01',
    promise: 'Decryption accepts and rejects the published age test vectors as specified, in Node.js and Chromium.',
    tests: [
      ['core/shared/crypto/age.test.ts', 'decrypt accepts and rejects the C2SP vectors as specified'],
      ['test/e2e/browser/age-vectors.test.ts', 'decrypt accepts and rejects the C2SP vectors as specified'],
    ],
  },
  {
    id: 'CRY-02',
    promise: 'Every key of the schedule equals the published vectors, and a second implementation in shell agrees.',
    limit: 'The vectors run in Node.js. In Chromium, pages open what Node.js has encrypted. Wycheproof is not used.',
    tests: [
      [
        'core/shared/crypto/keys.test.ts',
        '$fragment $password',
        'part $index of a file',
        'the file contains all vectors',
        'the key of a file of a raw secret depends on key and id, by HKDF',
      ],
      ['test/e2e/cli/recipes.test.ts', 'without Mayfly, in a POSIX shell'],
      [
        'core/lib/native-crypto.test.ts',
        'scrypt of %j and %j is that of RFC 7914',
        'HKDF-SHA-256 with salt %j and info %j is that of RFC 5869',
        'ChaCha20-Poly1305 is that of RFC 8439, and a changed tag is refused',
        'SHA-256 of abc is that of FIPS 180-4',
      ],
    ],
  },
  {
    id: 'CRY-03',
    promise: 'Any text and any bytes come back unchanged, around the chunk size of age too.',
    tests: [
      ['core/shared/crypto/age.test.ts', '%i bytes are decrypted unchanged'],
      [
        'core/shared/crypto/envelope.test.ts',
        'text in any script is decoded unchanged',
        'text with an unpaired surrogate is rejected',
      ],
      ['core/shared/crypto/parts.test.ts', 'a part is decrypted unchanged'],
      ['test/e2e/cli/pipes.test.ts', '%i random bytes arrive unchanged'],
    ],
  },
  {
    id: 'CRY-04',
    promise: 'A changed byte, a swapped part and options changed by the server lead to an error or a warning.',
    tests: [
      ['core/shared/crypto/age.test.ts', 'decrypt rejects a changed byte at any position'],
      [
        'core/shared/crypto/parts.test.ts',
        'a part is rejected at another index',
        'a part of another file is rejected',
        'a part with a changed byte is rejected',
      ],
      ['core/shared/crypto/encrypt-secret.test.ts', 'a later expiry', 'more views', 'other files'],
      [
        'test/e2e/browser/reveal.test.ts',
        'a difference between the response and what the sender chose is reported: %s',
      ],
      [
        'test/e2e/browser/forged-kind.test.ts',
        'a text that the key does not decrypt is not shown, and the password is not sent',
      ],
      [
        'test/e2e/browser/secret-requests.test.ts',
        'an exchanged recipient is refused before anything is encrypted',
        'a title of another request is refused',
        'a submission of another request is not shown, and the others still open',
      ],
    ],
  },
  {
    id: 'CRY-05',
    promise: 'Without the access proof of this secret the server returns no ciphertext and changes nothing.',
    tests: [
      [
        'core/http/secrets.storages.test.ts',
        'cannot be locked, burned, checked or viewed without the link',
        'every secret that cannot be reached gets the same 404',
      ],
      ['core/http/secret-model.storages.test.ts', '… random sequences of requests get the responses of the model'],
    ],
  },
  {
    id: 'CRY-06',
    promise: 'A password cannot be tested with the database alone.',
    tests: [
      [
        'core/secrets/offline-guess.test.ts',
        'the password of a sealed secret cannot be tested with the database alone',
        'a value that depends on the password alone would be found',
      ],
    ],
    limit:
      'Tried with the usual functions of password and stored values. Raw secrets are different: their passwords are hashed with argon2id.',
  },
  {
    id: 'CRY-07',
    promise: 'The length of a ciphertext reveals the length of the text only in steps.',
    tests: [
      ['core/shared/crypto/envelope.test.ts', '10,000 random lengths give few sizes', 'Padmé costs at most 12 %'],
    ],
  },
  {
    id: 'CRY-08',
    promise: 'Files that would cost the reader much work are rejected before any work.',
    tests: [
      [
        'core/shared/crypto/age.test.ts',
        'hostile files are rejected before any work',
        'armor larger than the limit is not decoded',
        'a file with work factor 15 is rejected, one with 14 is accepted',
      ],
      [
        'core/shared/crypto/envelope.test.ts',
        'longer texts are cut, names later than others, and the text of the secret stays',
      ],
    ],
  },
  {
    id: 'CRY-09',
    promise: 'A raw secret is unreadable in the database, the files and the log; only its whole id opens it.',
    tests: [
      ['test/e2e/server/no-plaintext-leaks.test.ts', 'a raw secret leaves no plaintext in the files and the log'],
      ['core/http/secrets.storages.test.ts', 'is encrypted under a key that only its id contains'],
      ['core/http/files.storages.test.ts', 'of a raw secret is stored encrypted and opens only with the whole id'],
    ],
  },
  {
    id: 'CRY-10',
    promise: 'The age program opens what Mayfly encrypts, and the other way round.',
    tests: [
      [
        'core/shared/crypto/age.test.ts',
        'the age program decrypts our files',
        'decrypt accepts files of the age program with logNMax 18',
      ],
      [
        'test/engines/backup.test.ts',
        'a backup encrypted for a recipient opens with the identity, also with the age program',
      ],
    ],
  },
  {
    id: 'CRY-11',
    promise: 'All randomness comes from the CSPRNG, and without one nothing is encrypted.',
    tests: [
      ['core/shared/crypto/keys.test.ts', 'key generation fails without a CSPRNG'],
      ['test/repository/code-rules.test.ts', 'randomness comes from the CSPRNG'],
    ],
  },
  {
    id: 'CRY-12',
    promise:
      'A second implementation of secret requests opens what the command line and the page submit, and the reverse.',
    tests: [
      ['core/shared/crypto/submission.test.ts', 'every vector of the protocol passes'],
      [
        'cli/requests-by-protocol.test.ts',
        'the second implementation opens what the command line submits, text and files of several parts',
        'the command line opens what the second implementation submits',
        'open.mjs opens what the command line submits',
      ],
      [
        'test/e2e/browser/secret-requests.test.ts',
        'a second implementation opens what a browser submits, and the reverse',
      ],
    ],
  },
  {
    id: 'CRY-13',
    promise:
      'A server cannot exchange key, note or submission of a secret request; a hostile submission opens nothing.',
    tests: [
      [
        'cli/requests.test.ts',
        'another recipient stops the submission before anything is encrypted',
        'the note of another request stops the submission before anything is read or encrypted',
        'a note of another request and a submission of another request are refused',
      ],
      [
        'cli/requests-by-protocol.test.ts',
        '%s is reported, and nothing is written',
        'that names another request, or none, is reported',
      ],
    ],
    limit: 'The server can hold a note or a submission back, or return a submission twice.',
  },
  {
    id: 'CRY-14',
    promise:
      'Text, title, instructions, file names and keys of a secret request are in no table, log, file or traffic.',
    tests: [['cli/requests-by-protocol.test.ts', 'nothing of a request is in a table, a log, a file or the traffic']],
  },
]
