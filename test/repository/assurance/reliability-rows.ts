import type { Row } from './row.js'

export const RELIABILITY_ROWS: Row[] = [
  {
    id: 'REL-01',
    promise: 'A secret with N views is opened exactly N times, however many readers and processes race.',
    tests: [
      ['test/engines/view-race.test.ts', '… concurrent readers get exactly the views of each secret'],
      [
        'core/testing/storage/views.ts',
        'with 3 views, 3 of 20 concurrent claims get the secret with all their retries',
      ],
      [
        'plugins/knex/batching/group-commit.engines.test.ts',
        'racing claims get at most maxViews views, and other secrets are unaffected',
      ],
      ['test/e2e/server/workers.test.ts', 'workers grant each secret to one of many concurrent readers'],
    ],
  },
  {
    id: 'REL-02',
    promise: 'A reader whose connection breaks gets the same view again for 60 seconds, and it counts once.',
    tests: [
      [
        'core/http/secrets.storages.test.ts',
        'returns the same text for the same claim within the grace period, counts it once, and is gone afterwards',
      ],
      ['cli/network.test.ts', 'secret read repeats a view whose response was lost'],
      [
        'test/e2e/browser/reveal.test.ts',
        'a response lost after the server counted the view is requested again with the same claim',
      ],
      ['test/engines/view-race.test.ts', 'concurrent views with one claim in all processes count once'],
    ],
  },
  {
    id: 'REL-03',
    promise: 'Any sequence of requests gets the responses that the rules prescribe.',
    tests: [
      ['core/http/secret-model.storages.test.ts', '… random sequences of requests get the responses of the model'],
    ],
    limit: 'One request after the other. Concurrent requests are the subject of REL-01.',
  },
  {
    id: 'REL-04',
    promise: 'A server killed at any step loses nothing that it acknowledged and grants no view twice.',
    tests: [
      [
        'test/chaos/server-crash.test.ts',
        'a killed server keeps acknowledged secrets and views: $requests at once, $kills kills',
      ],
      ['test/chaos/upload-crash.test.ts', 'blobs and rows agree after … kills, and nothing acknowledged is lost'],
      ['plugins/knex/migrations/migrator.engines.test.ts', 'migrating %s resumes after a crash at any query'],
    ],
    limit:
      'Processes are killed; a loss of power is not simulated. The databases are set to write commits to the disk (REL-19).',
  },
  {
    id: 'REL-05',
    promise: 'One cleanup after a crash removes every blob without a row, and never one that is in use.',
    tests: [
      ['test/chaos/upload-crash.test.ts', 'blobs and rows agree after … kills, and nothing acknowledged is lost'],
      ['core/http/files.storages.test.ts', 'reconciling deletes old blobs without a row and keeps those with a row'],
    ],
  },
  {
    id: 'REL-06',
    promise: 'The cleanup of a large table runs in small batches, uses indexes and gives way to requests.',
    tests: [
      [
        'plugins/knex/queries/index-usage.engines.test.ts',
        'no query scans a whole table',
        'sweep of a mostly expired table deletes one batch, using indexes',
      ],
      [
        'core/cleanup/expired-secrets.test.ts',
        'deleteExpiredSecrets pauses for the duration of each batch and adapts the batch size',
      ],
    ],
    limit: 'Latencies beside a million rows are measured by `npm run bench -- cleanup`; no test fails on them.',
  },
  {
    id: 'REL-07',
    promise:
      'While the database is out of reach, requests fail in time with 503; afterwards the server recovers by itself.',
    tests: [
      ['test/chaos/database-outage.test.ts', 'requests during an outage return 503 in time, and no view counts twice'],
      ['core/http/api.test.ts', '/readyz returns 503 when the storage fails, /healthz does not'],
    ],
  },
  {
    id: 'REL-08',
    promise: 'A failing file store loses no file: texts still open, and rows stay until a blob is certainly gone.',
    tests: [
      ['test/chaos/s3-outage.test.ts', 'files return 503, texts work, and nothing is lost'],
      [
        'test/engines/s3-faults.test.ts',
        'no failure lost a blob',
        'file.not_found follows only a 404 of the S3 server itself',
        'a put of %i bytes whose response is lost can be repeated',
      ],
      ['core/http/upload-bodies.test.ts', 'a failing file store returns 503, loses nothing, and cleanup tries again'],
    ],
  },
  {
    id: 'REL-09',
    promise: 'A system clock that jumps brings no secret back and deletes none early.',
    tests: [
      ['core/app.test.ts', 'an expired secret stays expired when the system clock is set back and the server restarts'],
      [
        'core/lib/clock.test.ts',
        'now continues from the latest value when the clock is set back by %d ms',
        'now follows a jump of %d ms, which is trusted after an hour',
      ],
      ['core/cleanup/scheduler.test.ts', 'nothing is deleted and no time is saved while the clock is not trusted'],
      ['core/http/sessions.storages.test.ts', 'sign-in works %i days after the process started'],
    ],
  },
  {
    id: 'REL-10',
    promise: 'On a full disk reads, views and burns work, and the server recovers without a restart.',
    tests: [
      [
        'test/chaos/sqlite-full-disk.test.ts',
        'wrong passwords are counted, and secrets burned and deleted, while other data fills the disk',
        'views free the room that %s used up',
      ],
      ['test/chaos/local-files-full-disk.test.ts', 'put leaves nothing behind when %s'],
    ],
  },
  {
    id: 'REL-11',
    promise: 'SIGTERM ends the server within the drain time plus two seconds, whatever it is waiting for.',
    tests: [
      [
        'test/chaos/shutdown.test.ts',
        'under load, and keeps every secret that was created',
        'while an upload stalls',
        'while an upload is slow',
        'while close() of a plugin never resolves',
        'of workers whose plugins never close or block the event loop',
        'a second signal ends the server at once',
      ],
      ['test/e2e/server/workers.test.ts', 'SIGTERM stops all workers, exit code 0'],
    ],
  },
  {
    id: 'REL-12',
    promise: 'A restored backup brings back no secret that has ended, and SQLite files keep no text of it.',
    tests: [
      [
        'test/engines/backup.test.ts',
        'a backup from %s is restored to %s without burned secrets',
        'backup contains no secrets by default and is readable with tar',
        'restore of a backup with secrets without --tombstones exits with 2',
      ],
      ['plugins/sqlite/scrub-deleted-text.test.ts', 'scrub leaves no copy of texts that shared pages with other texts'],
    ],
  },
  {
    id: 'REL-13',
    promise: 'Migrations run once, resume after a crash, and refuse a database of a newer version.',
    tests: [
      [
        'plugins/knex/migrations/migrator.engines.test.ts',
        'down and up again keep the schema, and the rows of older versions',
        'migrating %s resumes after a crash at any query',
        'migrate refuses a database with an unknown migration',
        'migrate waits for the lock of another process up to lockTimeoutMs, or until it expires',
      ],
      ['test/engines/upgrade.test.ts', 'every migration has run after the start'],
    ],
  },
  {
    id: 'REL-14',
    promise: 'Memory, handles and disk stay flat over hours of traffic with faults.',
    tests: [['test/chaos/bench.test.ts', 'a soak with faults']],
    limit:
      '`npm run soak` runs for an hour and reports the trends. The test runs it for seconds, which proves only that nothing is lost.',
  },
  {
    id: 'REL-15',
    promise: 'Throughput and latencies meet the targets.',
    tests: [['test/chaos/bench.test.ts', 'throughput of each request beside the control']],
    limit:
      'The test proves that the benchmark runs. `npm run bench` compares its figures with `bench/targets.ts`; no test fails on them, because they depend on the machine.',
  },
  {
    id: 'REL-16',
    promise: 'Random requests get no 5xx; statuses and bodies are those that the OpenAPI document lists.',
    tests: [
      [
        'core/http/fuzz.storages.test.ts',
        '… random requests',
        'the OpenAPI document lists every endpoint with its errors and fields',
      ],
    ],
    limit:
      '2,000 requests for each database; `MAYFLY_TEST_FUZZ_RUNS` sets another number. Not every documented status is reached.',
  },
  {
    id: 'REL-17',
    promise: 'Several processes can write to one SQLite file, and none of them sees that it is busy.',
    tests: [
      ['test/support/race-contract.ts', 'wrong passwords are counted exactly'],
      [
        'plugins/sqlite/sqlite-faults.test.ts',
        'write waits for the write of another process',
        'statement fails when another process has the lock for longer than its timeout',
        'statements that wait for the lock of another process leave the thread pool to others',
        'transaction that reads first blocks writes of other processes',
      ],
      [
        'plugins/sqlite/scrub-deleted-text.test.ts',
        'scrub returns false while a reader is active, without blocking writers',
      ],
    ],
    limit: 'Latencies are measured by `npm run bench -- events`, and no test holds them.',
  },
  {
    id: 'REL-18',
    promise: 'A changed instance setting applies in every process within two seconds.',
    tests: [
      ['test/engines/settings-propagation.test.ts', 'a setting changed in one process applies in the other within 2 s'],
      ['test/e2e/server/workers.test.ts', 'every worker applies a changed setting within two seconds'],
    ],
  },
  {
    id: 'REL-19',
    promise: 'A database that does not write commits to the disk stops the start.',
    tests: [
      [
        'plugins/sqlite/sqlite-setup.test.ts',
        'connect sets the pragmas, and checkDurability verifies them',
        'checkDurability fails without a write-ahead log',
      ],
      ['test/chaos/database-connections.test.ts', 'a server that does not write commits to the disk is refused'],
    ],
  },
  {
    id: 'REL-20',
    promise:
      'A plugin that throws, hangs or returns invalid values harms neither other requests nor other plugins, nor a shutdown.',
    tests: [
      [
        'core/app.test.ts',
        'a failing listener affects neither the request nor other listeners',
        'an error of a plugin is a plain 500 with a request id that is in the log',
        'a plugin that fails to close does not prevent the others from closing',
      ],
      ['test/chaos/shutdown.test.ts', 'while a system call of a plugin hangs'],
      ['core/services/health.test.ts', 'check names the components that do not respond'],
      [
        'core/http/faulty-plugins.test.ts',
        'a storage that returns %j causes an error that does not contain it',
        'a storage that hangs holds up its own requests only',
        'that returns %j causes an error that does not contain it',
        'that hangs holds up its own requests only',
      ],
    ],
  },
  {
    id: 'REL-21',
    promise: 'A repeated create with one idempotency key makes one secret and gets the first response for 24 hours.',
    tests: [
      [
        'core/http/secrets.storages.test.ts',
        'returns the first response to twenty concurrent requests',
        'expires after a day',
        'of another request returns 409',
      ],
      [
        'test/engines/view-race.test.ts',
        'concurrent creates with one Idempotency-Key in all processes create one secret',
      ],
    ],
  },
  {
    id: 'REL-22',
    promise: 'Times, sizes and counts beyond 32 bits are stored and returned exactly, also after years of uptime.',
    tests: [
      [
        'core/http/large-numbers.storages.test.ts',
        'a secret of the year 2100 is created, viewed and expires to the millisecond',
        'a user, a session and a token of the year 2100 return their times as numbers',
        'counts of statistics and limits beyond 2^32 add up',
        'an upload of more than 4 GiB is reserved with its size',
      ],
      ['core/http/sessions.storages.test.ts', 'sign-in works %i days after the process started'],
    ],
    limit: 'The views of one secret are counted in 32 bits: 2,147,483,647 in its 28 days.',
  },
  {
    id: 'REL-23',
    promise: 'A receipt has each counted view, wrong password and end of its secret exactly once.',
    tests: [
      [
        'core/testing/storage/receipts.ts',
        'concurrent views of several secrets are all on their receipts',
        'a race of last view and burn leaves the receipt of what happened first',
        'an expired secret ends its receipt at its expiry, a used-up one keeps its end',
      ],
    ],
  },
  {
    id: 'REL-24',
    promise: 'Each secret of a user is listed exactly once, as live or as ended, until its retention is over.',
    tests: [
      [
        'core/testing/storage/ended-secrets.ts',
        'a secret is listed as live or as ended, before and after the cleanup',
        'concurrent views and burns leave one entry for each secret',
        'the first end counts, and is recorded once',
        'the entries of a user end with the user, also those of a view during the removal',
      ],
      [
        'core/http/ended-secrets.storages.test.ts',
        'an export without entries has the header only, and one of many has each once',
      ],
    ],
  },
]
