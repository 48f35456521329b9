import type { Row } from './row.js'

export const SECURITY_ROWS: Row[] = [
  {
    id: 'SEC-01',
    promise: 'Texts, titles, names and translations are shown as text and never run as script.',
    tests: [
      [
        'test/e2e/browser/injection-by-users.test.ts',
        'text and title of encrypted secrets are shown as text',
        'names and types of files are shown as text',
        'titles in the public list are shown as text',
      ],
      [
        'test/e2e/browser/injection-by-responses.test.ts',
        'error messages, codes and request IDs are shown as text',
        'translations are shown as text',
      ],
      ['test/repository/code-rules.test.ts', 'no HTML is made from strings'],
    ],
  },
  {
    id: 'SEC-02',
    promise: 'Only http, https and mailto addresses of the operator become links; the text of a secret never does.',
    tests: [
      ['plugins/web/markdown-to-rich-text.test.ts', '%s does not become a link'],
      ['test/e2e/browser/lite-version.test.ts', 'secrets and URLs are shown as text'],
      ['test/e2e/browser/injection-by-users.test.ts', 'text and title of encrypted secrets are shown as text'],
    ],
  },
  {
    id: 'SEC-03',
    promise: 'Files are saved as binary data, and only pictures of five formats are previewed.',
    tests: [
      [
        'test/e2e/browser/injection-by-users.test.ts',
        'a file is saved as binary data with a safe name, and runs nothing when the browser opens it',
      ],
      ['web/features/reveal/files/image-types.test.ts', 'previewType allows %s'],
      ['test/e2e/browser/receiving-files.test.ts', 'a picture is shown on request, and other files are not'],
    ],
  },
  {
    id: 'SEC-04',
    promise: 'Downloads have a constant file name and type in their headers, whatever the file is called.',
    tests: [
      [
        'core/http/files.storages.test.ts',
        'files are uploaded in parts, attached to a secret and downloaded with the tickets of a view',
      ],
    ],
  },
  {
    id: 'SEC-05',
    promise: 'No path of a request, name of a language or key of a file leads outside its folder.',
    tests: [
      ['plugins/web/web-plugin.test.ts', 'GET %s returns the 404 page', 'POST /locales/add returns 404'],
      [
        'plugins/local-files/blob-folder.test.ts',
        'blob that is a link is not read, listed or written through',
        'shard folder that is a link is not read, listed or written through',
      ],
      ['core/shared/file-name.test.ts', 'safeFileName never leads outside the folder'],
    ],
  },
  {
    id: 'SEC-06',
    promise: 'The server connects to no address that a request contains.',
    tests: [
      [
        'test/repository/code-rules.test.ts',
        'the server opens no connections',
        'the rule about connections matches `%s`: %s',
      ],
    ],
    limit:
      'Databases, S3, OpenID Connect providers, webhooks and syslog servers are configured by the operator; packages and plugins open these connections. Webhooks of users, off by default, connect to public addresses that users enter.',
  },
  {
    id: 'SEC-07',
    promise: 'Bodies that are too long, compressed, too deep or too slow are refused.',
    tests: [
      [
        'core/http/body.test.ts',
        'a declared length of 10 GiB is refused before a byte of it is read',
        'a body without a length is refused once it is over the limit',
        'JSON 10,000 deep is bad input, not a crash',
      ],
      ['core/http/api.test.ts', 'a compressed body', 'a text over the limit, and a body far over it'],
      [
        'core/http/upload-bodies.test.ts',
        'a part with the wrong length or index is refused before it is read',
        'a part that arrives too slowly gets 408',
      ],
      ['test/chaos/slow-clients.test.ts', 'a JSON body that arrives byte by byte'],
      [
        'test/chaos/body-memory.test.ts',
        '100 bodies of 32 MiB with %s at once are refused and take less than a quarter of that',
      ],
    ],
  },
  {
    id: 'SEC-08',
    promise: 'Numbers outside their range, and values that are no numbers, are refused with the name of the field.',
    tests: [['core/http/api.test.ts', '%s in %j', '?%s']],
  },
  {
    id: 'SEC-09',
    promise: 'Every field has a type, and a value of another type is refused before any query.',
    tests: [
      ['core/http/api.test.ts', '%s in %j'],
      ['core/http/settings.storages.test.ts', '%s: %j is refused'],
      ['core/http/fuzz.storages.test.ts', '… random requests'],
    ],
  },
  {
    id: 'SEC-10',
    promise:
      'Who may call a route, burn a secret or list it follows a table; a secret without an owner belongs to no user.',
    tests: [
      ['core/http/admin.storages.test.ts', 'burning and listing follow the table of owners and callers'],
      ['core/http/permissions.test.ts', '$method $path'],
      ['core/http/tokens.storages.test.ts', "a user cannot list or delete another user's tokens"],
    ],
  },
  {
    id: 'SEC-11',
    promise: 'Instance settings hold for every spelling of a path, content type, override header and kind of sign-in.',
    tests: [
      ['core/http/settings-bypass.test.ts', '$settings holds at $path, for every caller and spelling of the request'],
      ['core/http/case-sensitive-paths.test.ts', 'POST /secret returns 404'],
      ['test/engines/settings-propagation.test.ts', 'a setting changed in one process applies in the other within 2 s'],
    ],
  },
  {
    id: 'SEC-12',
    promise: 'Another site cannot make a browser change anything or read who is signed in.',
    tests: [
      [
        'core/http/csrf.test.ts',
        '%s',
        'sign-in, sign-up, set-up and sign-out without a cookie from %s',
        'a same-origin form is not a request of the API',
        'a cookie is ignored beside a token',
      ],
    ],
  },
  {
    id: 'SEC-13',
    promise:
      'A session gets a new token at sign-in and refresh, and ends at sign-out, new password, new role and deletion.',
    tests: [
      [
        'core/http/sessions.storages.test.ts',
        'sign-in replaces a session token that the browser brings',
        'sign-out ends the session and clears both cookies',
        'refresh returns a new token, and the old one works for 30 seconds',
        'reuse of an old token after its grace period ends the session and is noted in the audit log',
        'a password change ends the other sessions and rotates the token of this one',
        'a role change ends all sessions of the user',
        'deleting an account, by its owner or an administrator, ends its sessions',
        'disable_users ends the sessions of users for good and keeps those of administrators',
      ],
      ['core/http/accounts.storages.test.ts', 'an account with the name of a deleted one inherits nothing from it'],
    ],
  },
  {
    id: 'SEC-14',
    promise: 'Responses do not tell, by content or by time, whether a secret or an account exists.',
    tests: [
      ['core/http/secrets.storages.test.ts', 'every secret that cannot be reached gets the same 404'],
      [
        'core/http/enumeration.storages.test.ts',
        'sign-in as an unknown user, an invalid name or a user without a password looks like a wrong password and costs one hash',
        'unknown, wrong, expired and misplaced tokens get the same response',
      ],
      [
        'test/chaos/response-times.test.ts',
        'a secret that is absent, expired, burned or asked for with a wrong proof takes the same time',
        'sign-in with a known and an unknown name takes the same time',
      ],
    ],
    limit:
      'Differences below 0.3 ms are not excluded: an existing row takes 0.1 ms to read, and ids have 128 random bits. Sign-up reports taken names; it is limited to 5 attempts per hour.',
  },
  {
    id: 'SEC-15',
    promise:
      'No request gives its sender a role: administrators are made by the command line, a set-up code or administrators.',
    tests: [
      [
        'core/http/accounts.storages.test.ts',
        'field %j in sign-up and account update is refused',
        'the first sign-up creates an ordinary user',
      ],
      [
        'core/http/setup.storages.test.ts',
        'the setup code creates one administrator and is then gone',
        'twenty requests at once with the setup code create one administrator',
      ],
    ],
  },
  {
    id: 'SEC-16',
    promise: 'Links come from the public URL, and requests under another host name are refused.',
    tests: [
      [
        'core/http/host-header.test.ts',
        'Host: %j is refused',
        'two Host headers, another host in the URL and a missing Host are refused',
        'links are made from publicUrl, not from X-Forwarded-Host or Forwarded',
      ],
    ],
  },
  {
    id: 'SEC-17',
    promise: 'Only listed origins can read responses from another site, and never with credentials.',
    tests: [
      [
        'core/http/cors.test.ts',
        'with corsOrigins %j no other origin gets a CORS header',
        'no response allows credentials, and every response varies on Origin',
        'a listed origin cannot sign in or use the session cookie',
      ],
    ],
  },
  {
    id: 'SEC-18',
    promise: 'Caches store no page and no response of the API.',
    tests: [
      [
        'test/e2e/server/http-caching.test.ts',
        'no API response and no page is cached, for any user and any status',
        'assets with a hash in their name are cached forever',
      ],
    ],
    limit: 'Tested with nginx, not with Varnish.',
  },
  {
    id: 'SEC-19',
    promise: 'The server and the page never redirect to another site.',
    tests: [
      [
        'test/e2e/server/open-redirects.test.ts',
        'GET %s does not redirect',
        'GET %s ignores addresses in parameters and headers',
      ],
      ['web/features/auth/return-path.test.ts', '/signin%s returns to %s'],
      ['core/http/redirects.test.ts', 'next=%j is refused'],
    ],
  },
  {
    id: 'SEC-20',
    promise: 'Link previews and mail scanners use no view: a view takes a click and the access proof.',
    tests: [
      ['test/e2e/browser/reveal.test.ts', 'the page only checks that the secret exists'],
      ['test/e2e/browser/privacy.test.ts', '%s by link previews uses no view'],
      ['plugins/web/web-plugin.test.ts', 'only secret pages have a link preview, which reveals nothing'],
    ],
  },
  {
    id: 'SEC-21',
    promise: 'Only trusted proxies can say from which address a request came; an unreadable address is unknown.',
    tests: [
      [
        'core/http/client-ip.test.ts',
        'headers of an untrusted peer do not satisfy allowedIp',
        'behind a trusted proxy the rightmost X-Forwarded-For entry that is not a proxy counts',
        'X-Forwarded-For of an untrusted peer does not evade a rate limit',
      ],
      ['core/http/middleware/client-ip-parsing.test.ts', 'an unreadable address is unknown'],
      ['test/e2e/server/documented-proxies.test.ts', 'forwards the address of the client and drops a forged one'],
    ],
  },
  {
    id: 'SEC-22',
    promise: 'Ten wrong passwords in a row lock a secret, counted exactly; only callers with the link can cause that.',
    tests: [
      [
        'core/http/secret-passwords.storages.test.ts',
        'fifty wrong passwords at once from fifty addresses: ten are checked, the rest are locked out, no view is used',
        'a caller without the link cannot lock the secret and reaches the limit of its address',
        'the count of wrong passwords survives a restart',
      ],
    ],
  },
  {
    id: 'SEC-23',
    promise: 'Sign-in attempts are limited by name and by address, and strangers cannot keep a user out.',
    limit:
      'Strangers can keep a user out of a browser in which that user has never signed in, except for one attempt a minute.',
    tests: [
      [
        'core/http/sign-in-throttle.storages.test.ts',
        'sign-in under one name from many addresses is limited, except in a browser that is signed in as that user',
        'attempts of strangers do not keep a user out of a browser in which the user has signed in before',
        'ten wrong passwords for a name leave one attempt a minute, from any address and in any spelling',
        '/healthz answers while passwords are hashed',
      ],
    ],
  },
  {
    id: 'SEC-24',
    promise: 'An aborted or repeated download costs no view, and no download starts after its ticket has ended.',
    tests: [
      [
        'core/http/downloads.test.ts',
        'a download that is aborted at any tenth leaves no open file and can be repeated',
        'four downloads at once with one ticket are complete',
        'a Range header is ignored',
        'no download starts after the ticket expired',
      ],
    ],
  },
  {
    id: 'SEC-25',
    promise: 'Tokens, proofs and hashes are compared in constant time.',
    tests: [
      [
        'test/repository/code-rules.test.ts',
        'tokens, proofs and hashes are compared in constant time',
        'the rule about credentials matches `%s`: %s',
        'the functions that compare credentials do it in constant time',
      ],
    ],
    limit:
      'Rules about the source code, which know credentials by their names and functions by their files. The time itself is measured for SEC-14.',
  },
  {
    id: 'SEC-26',
    promise: 'All databases store and compare texts, numbers and missing values alike.',
    tests: [
      ['core/testing/storage/create.ts', 'ids are case-sensitive', 'view returns a text of %i MiB unchanged'],
      ['core/testing/storage/users.ts', 'find returns null for unknown values, another case or extra spaces'],
      ['core/testing/storage/users.ts', 'identities are compared bytewise and by provider'],
      ['plugins/sqlite/sqlite-faults.test.ts', 'transaction that reads first blocks writes of other processes'],
    ],
  },
  {
    id: 'SEC-27',
    promise: 'User names that look alike cannot exist beside each other.',
    tests: [
      [
        'core/http/accounts.storages.test.ts',
        'user name %j is refused',
        'a user name or email address that is taken in any case returns 409',
      ],
    ],
  },
  {
    id: 'SEC-28',
    promise: 'Only addresses of exactly the allowed e-mail domains can be used, at sign-up and at every later change.',
    tests: [
      [
        'core/http/accounts.storages.test.ts',
        'restrict_organization_email applies to sign-up, administrators and account updates',
      ],
      [
        'core/auth/email-verification.storages.test.ts',
        'an account with an address that is not verified counts as a visitor',
      ],
    ],
    limit: 'Without a plugin that sends mail, only the text of an address is checked.',
  },
  {
    id: 'SEC-29',
    promise: 'No body pollutes a prototype.',
    tests: [
      ['core/http/api.test.ts', '__proto__ pollutes nothing', '%s in %j'],
      ['core/http/fuzz.storages.test.ts', '… random requests'],
      // Forms, whose parsers have the same problem, are not read.
      ['core/http/csrf.test.ts', 'a same-origin form is not a request of the API'],
    ],
  },
  {
    id: 'SEC-30',
    promise: 'Key, password, text, title and files of a sealed secret never leave the client unencrypted.',
    tests: [
      ['cli/leaks.test.ts', 'CLI output, logs and files contain no part of a secret'],
      ['test/e2e/server/no-plaintext-leaks.test.ts', 'a sealed secret shows no plaintext from create to burn'],
      [
        'test/e2e/browser/privacy.test.ts',
        'key, password, text, title and files never leave the browser unencrypted and are not stored in it',
      ],
    ],
    limit:
      'Searched in the files of SQLite; write-ahead logs of PostgreSQL and MariaDB get what the server sends them.',
  },
  {
    id: 'SEC-31',
    promise: 'Requests have no referrer, and no URL of the history contains a key after Back.',
    tests: [
      [
        'test/e2e/browser/privacy.test.ts',
        'requests have no referrer',
        'a link to another site sends no referrer, and Back leads to a URL without the key after the last view',
        'a page that is left clears its secrets before the browser caches it',
      ],
    ],
    limit: 'Printing and restored tabs are not tested.',
  },
  {
    id: 'SEC-32',
    promise:
      'No value of a request is in the log, at any level and for any error. An e-mail contains no text, key or link of a secret.',
    tests: [
      ['core/http/log-redaction.test.ts', '… random requests leave none of their values in the log'],
      ['core/app.test.ts', 'an error of a plugin is a plain 500 with a request id that is in the log'],
      ['plugins/sqlite/sqlite-faults.test.ts', 'storage errors contain no values, even if the driver adds them'],
      ['core/http/tokens.storages.test.ts', 'a token is returned once, and neither storage nor log contain it'],
      [
        'core/notifications/notifications.test.ts',
        'the owner of a secret is told of each view, without any part of the link but the id',
      ],
      [
        'plugins/smtp/smtp.test.ts',
        'a notification arrives as text and as HTML, with a link that turns it off',
        'a mail server that is down delays a mail and loses none',
      ],
    ],
  },
  {
    id: 'SEC-33',
    promise: 'The bucket is private: clients never get addresses of objects, and credentials are not in the log.',
    tests: [
      [
        'test/engines/s3-setup.test.ts',
        'a real server refuses reads without credentials',
        'a bucket that is public to %s stops the start',
      ],
      ['test/engines/s3-faults.test.ts', 'log and errors contain neither credentials, keys nor server messages'],
    ],
  },
  {
    id: 'SEC-34',
    promise: 'The command line passes no secret in arguments, and stores tokens for one server with mode 0600.',
    tests: [
      ['cli/leaks.test.ts', 'CLI output, logs and files contain no part of a secret'],
      ['test/e2e/cli/run.test.ts', 'run passes no link and no value as an argument'],
      [
        'cli/login.test.ts',
        'login --token-stdin verifies the token and stores it for one server with mode 0600',
        'a token is never sent to the server of a foreign link',
      ],
      ['test/e2e/cli/login.test.ts', 'login asks on a terminal and hides the password'],
    ],
  },
  {
    id: 'SEC-35',
    promise: 'No text of a sender or caller makes a regular expression or a header cost more than linear time.',
    tests: [
      ['test/repository/regex-cost.test.ts', 'every regular expression of the product takes linear time'],
      [
        'test/chaos/refusal-cost.test.ts',
        'no value of a header, the path or the query costs more than 20 ms of CPU time',
      ],
      ['cli/output/sanitize.test.ts', 'toSingleLine and toMessage take linear time for 1 MB of %j'],
      ['core/shared/file-name.test.ts', 'safeFileName takes linear time for 1 MB of %s'],
      ['core/lib/language.test.ts', 'a header of 15 kB parses at most 20 tags, and none when it is repeated'],
    ],
    limit: 'Expressions are tried on repeated characters, not analyzed.',
  },
  {
    id: 'SEC-36',
    promise: 'Slow, idle, incomplete and ambiguous requests end, and do not slow down other clients.',
    tests: [
      [
        'test/chaos/slow-clients.test.ts',
        'connections that never complete their headers, while others are served',
        'headers that arrive byte by byte',
        'a JSON body that arrives byte by byte',
        'no idle connection that others need: 800 of them slow down no other client',
      ],
      ['core/http/body.test.ts', 'a message with %s is refused'],
      [
        'core/http/connection-limit.test.ts',
        'incomplete requests of one client do not keep out others, and the client itself returns when they are closed',
      ],
      ['core/http/server.test.ts', 'a listening server limits the connections of one client'],
    ],
  },
  {
    id: 'SEC-37',
    promise: 'A full disk and used-up quotas refuse uploads and leave everything else working.',
    tests: [
      [
        'test/chaos/local-files-full-disk.test.ts',
        'get and delete work on a full disk',
        'put is refused below the reserve and works again above it',
      ],
      ['test/chaos/sqlite-full-disk.test.ts', 'the storage starts on a full disk'],
      ['core/http/files.storages.test.ts', 'an address has a limit of open uploads and a daily quota'],
    ],
  },
  {
    id: 'SEC-38',
    promise: 'A killed server leaves no blob without a row and no row without its blobs.',
    tests: [
      ['test/chaos/upload-crash.test.ts', 'blobs and rows agree after … kills, and nothing acknowledged is lost'],
    ],
  },
  {
    id: 'SEC-39',
    promise: 'From its last millisecond on, an expired secret is reachable nowhere, also before the cleanup.',
    tests: [
      [
        'core/http/expired-secrets.storages.test.ts',
        'one millisecond before its end a secret is reachable everywhere',
        '%i ms after its end a secret is reachable nowhere',
        'a ticket and a retry end with the secret, also when they would last longer',
      ],
    ],
  },
  {
    id: 'SEC-40',
    promise: 'Public lists contain live public secrets only, in pages, without addresses and ids of users.',
    tests: [
      [
        'core/secrets/public-list-cache.test.ts',
        'an expired secret is never listed',
        'only public secrets are listed, with the same fields for everyone',
      ],
      ['core/http/secrets.storages.test.ts', 'leaves the list when it is used up, burned or expired'],
      ['core/http/api.test.ts', '?%s'],
    ],
  },
  {
    id: 'SEC-41',
    promise:
      'Memory for metrics, limits, caches and audit entries is bounded for any number of paths, ids and addresses.',
    tests: [
      ['plugins/metrics/metrics.test.ts', 'unknown paths, ids and methods add at most one line in total'],
      [
        'core/rate-limits/rate-limit-service.test.ts',
        'memory is bounded for any number of addresses',
        'the LRU cache evicts the least recently used entry',
      ],
      ['core/audit/audit-service.test.ts', 'the queue is bounded, and dropped entries are logged'],
    ],
    limit: 'Entries are counted; the memory of the process is not measured.',
  },
  {
    id: 'SEC-42',
    promise:
      'An invalid setting stops the start with its name and without its value; there are no default credentials.',
    tests: [
      ['config/invalid-settings.test.ts', 'refuses %j', 'the table contains every setting'],
      ['config/config.test.ts', 'all at once', 'a secret is never printed, whatever its source'],
      [
        'test/e2e/server/setup-code.test.ts',
        'the setup code is printed once, stored nowhere and creates one administrator, with %s',
      ],
    ],
  },
  {
    id: 'SEC-43',
    promise: 'Administrators can end any secret by its id, effective in every process at once.',
    tests: [
      ['test/engines/view-race.test.ts', 'a burn is effective in every process at once'],
      ['core/http/admin.storages.test.ts', 'burning and listing follow the table of owners and callers'],
      ['plugins/web/web-plugin.test.ts', 'GET %s returns a page with status %i and all security headers'],
      ['core/http/rate-limit.test.ts', '$method $path'],
    ],
    limit: 'There is no form to report a secret and no page between a link and its download.',
  },
  {
    id: 'SEC-44',
    promise:
      'A receipt gives no access to its secret, and says nothing about the reader unless the administrator asked for it.',
    tests: [
      [
        'core/http/receipts.storages.test.ts',
        'a secret without a receipt returns none, and one with it returns a link that is no key',
        'details of the reader are coarse, and only with the setting',
        'an unknown token gets the same 404 as an ended receipt, and a malformed one names the header',
      ],
    ],
  },
  {
    id: 'SEC-45',
    promise: 'Ended secrets are shown to their owner only, without title and text, and only during the retention.',
    tests: [
      [
        'core/http/ended-secrets.storages.test.ts',
        'the list says how and when each secret ended, and the list of live secrets stays as it is',
        'only the owner sees it: not a visitor, another user, or a token without the scope',
        'entries end after the retention, at once when it is shortened, and 0 records none',
      ],
    ],
  },
  {
    id: 'SEC-46',
    promise:
      'A webhook of a user gets events of that user only, at public addresses only, and its signing secret is shown once.',
    tests: [
      [
        'core/http/webhooks.storages.test.ts',
        'a webhook gets the selected events of its owner, and never those of another user or a visitor',
        'every request for a webhook of another user, or an unknown one, gets the same 404',
        'the signing secret is in one response only, and neither storage, log nor audit log contain it',
      ],
      [
        'plugins/webhook/user-webhook-sender.test.ts',
        '%s is refused when it is added, and when an event is sent',
        'a host that resolves to a private address is refused, and gets no request',
        'a redirect is not followed',
      ],
      ['plugins/webhook/webhook.test.ts', 'a host is refused if one of its addresses is private, and resolved once'],
    ],
    limit: 'Services that trust the public address of the server can be reached.',
  },
]
