import type { Row } from './row.js'

/** Requirements of OWASP ASVS 5.0.0, levels 1 and 2, that apply to Mayfly, by section. */
export const ASVS_ROWS: Row[] = [
  {
    id: 'V1.1.1, V1.1.2',
    promise: 'Input is decoded once, and output is encoded where it is shown.',
    see: ['SEC-01', 'SEC-05', 'SEC-11'],
  },
  {
    id: 'V1.2.1, V1.2.2, V1.2.3, V1.3.1, V1.3.4, V1.3.5',
    promise: 'No HTML, SVG, Markdown, script or URL of a secret is interpreted.',
    see: ['SEC-01', 'SEC-02', 'SEC-03', 'SEC-19'],
  },
  {
    id: 'V1.2.4',
    promise: 'Queries have bound parameters.',
    see: ['SEC-09', 'SEC-26', 'REL-16'],
  },
  {
    id: 'V1.2.5, V1.2.9, V1.3.2, V1.3.7',
    promise: 'The server starts no programs, evaluates no text and builds no regular expression from input.',
    tests: [
      [
        'test/repository/code-rules.test.ts',
        'the server starts no programs and evaluates no text',
        'no regular expression is built from input',
      ],
    ],
    see: ['SEC-35'],
  },
  {
    id: 'V1.3.3',
    promise: 'File names and header values are made safe before they are used.',
    see: ['SEC-04', 'SEC-05'],
  },
  { id: 'V1.3.6, V15.3.2', promise: 'Requests cannot make the server connect to other servers.', see: ['SEC-06'] },
  {
    id: 'V1.3.11',
    promise: 'A mail goes to one plain address, and a name in it is text.',
    tests: [
      [
        'plugins/smtp/smtp.test.ts',
        'the address %j is refused for good, without a connection',
        'HTML in a name is text in the mail',
      ],
    ],
  },
  { id: 'V1.4.2', promise: 'Numbers do not overflow.', see: ['SEC-08', 'REL-22'] },
  { id: 'V1.5.2', promise: 'Only JSON is read, and every body has a schema.', see: ['SEC-09', 'SEC-29'] },
  {
    id: 'V2.1.1, V2.1.2, V2.1.3, V2.2.1, V2.2.2, V2.2.3',
    promise: 'The rules for input are documented in the OpenAPI document and enforced by the server.',
    tests: [
      [
        'core/http/openapi.test.ts',
        'the document contains every route in a declared group',
        'every example is a valid request',
      ],
    ],
    see: ['SEC-08', 'SEC-09', 'REL-16'],
  },
  {
    id: 'V2.3.1, V2.3.2, V2.3.3, V2.3.4',
    promise: 'Steps happen in order, in transactions, and within their limits.',
    see: ['REL-01', 'REL-03', 'REL-04'],
  },
  {
    id: 'V2.4.1, V6.1.1, V6.3.1',
    promise: 'Guessing, flooding and spraying are limited, and the limits are documented.',
    tests: [['core/http/routes.test.ts', 'routes/README.md lists every route with its access rules and rate limits']],
    see: ['SEC-22', 'SEC-23', 'SEC-37'],
  },
  {
    id: 'V3.2.1, V3.2.2, V5.3.1, V5.3.2, V5.4.1, V5.4.2',
    promise:
      'Responses are shown in their own context, and uploaded files are never executed or named by their sender.',
    tests: [
      ['core/http/api.test.ts', 'every response has the security headers'],
      ['plugins/local-files/blob-folder.test.ts', 'folders and files are accessible only by their owner'],
    ],
    see: ['SEC-01', 'SEC-04', 'SEC-05'],
  },
  {
    id: 'V3.3.1, V3.3.2, V3.3.3, V3.3.4',
    promise: 'Session cookies are `__Host-`, `Secure`, `HttpOnly` and `SameSite=Strict`.',
    tests: [
      [
        'core/http/sessions.storages.test.ts',
        'sign-up opens a session, with a cookie for the server, one for scripts, and one for the known device',
        'the server ignores the cookie for scripts',
      ],
    ],
    limit: 'Over plain HTTP, cookies have neither prefix nor `Secure`.',
  },
  {
    id: 'V3.4.1, V3.4.3, V3.4.4, V3.4.5, V3.4.6',
    promise: 'Every page has a strict Content-Security-Policy, HSTS, nosniff, no referrer and no frames.',
    tests: [
      ['plugins/web/web-plugin.test.ts', 'GET %s returns a page with status %i and all security headers'],
      ['core/http/api.test.ts', 'every response has the security headers'],
    ],
  },
  {
    id: 'V3.4.2, V3.5.1, V3.5.2, V3.5.3',
    promise: 'Other origins can neither read responses nor send requests that change something.',
    see: ['SEC-12', 'SEC-17'],
  },
  {
    id: 'V3.5.4',
    promise: 'The instance has a host name of its own.',
    limit:
      'Documented for operators. A path in the public URL is allowed, and shares the origin with other applications.',
  },
  {
    id: 'V3.5.5',
    promise: 'Pages exchange no messages with other windows, so there is no origin to check.',
    tests: [['test/repository/code-rules.test.ts', 'pages exchange no messages with other windows']],
  },
  { id: 'V3.7.2', promise: 'Redirects stay on the site, or go to configured sign-in providers.', see: ['SEC-19'] },
  {
    id: 'V4.1.1, V4.1.2, V4.1.3',
    promise: 'Responses have a type and character set, and clients cannot forge the headers of proxies.',
    tests: [['core/http/api.test.ts', 'every response has the security headers']],
    see: ['SEC-21'],
    limit: 'Redirects from http to https are up to the reverse proxy.',
  },
  { id: 'V4.2.1', promise: 'Messages with ambiguous lengths are refused.', see: ['SEC-36'] },
  {
    id: 'V5.1.1, V5.2.1, V5.2.3',
    promise: 'Uploads have documented limits, and the server decompresses nothing.',
    see: ['SEC-07', 'SEC-37'],
  },
  {
    id: 'V5.2.2',
    promise: 'The type of an uploaded file is checked.',
    limit: 'Not possible: the server sees ciphertext. The page previews five picture formats only.',
  },
  {
    id: 'V5.4.3',
    promise: 'Uploaded files are scanned for malware.',
    limit: 'Not possible: the server sees ciphertext. Administrators can turn uploads off.',
  },
  {
    id: 'V6.1.3, V6.3.4',
    promise: 'All sign-in methods are documented and obey the same rules.',
    tests: [['core/http/redirects.test.ts', 'instance settings apply to sign-in by redirect and by header']],
    see: ['SEC-11'],
  },
  {
    id: 'V6.2.1, V6.2.9',
    promise: 'Passwords have at least 8 characters, and may have 64.',
    tests: [
      [
        'core/http/accounts.storages.test.ts',
        'passwordMin and passwordMax apply, and administrators need at least 12 characters',
      ],
    ],
    limit: 'Not by default: 5 to 50 characters. `passwordMin` and `passwordMax` change that.',
  },
  {
    id: 'V6.2.2, V6.2.3, V7.5.1',
    promise: 'Users change password and e-mail address only with their current password.',
    tests: [
      ['core/http/accounts.storages.test.ts', 'an account changes only with its current password and a valid new one'],
    ],
  },
  {
    id: 'V6.2.4, V6.2.5, V6.2.11, V6.2.12',
    promise: 'Common passwords and passwords like the user name are refused; there are no rules about characters.',
    tests: [['core/auth/password-policy.test.ts', '%s of a %s: %s', 'the list has three thousand common passwords']],
    limit: 'The list is in the package. No service for breached passwords is asked.',
  },
  {
    id: 'V6.2.6, V6.2.7, V6.2.8, V6.2.10',
    promise: 'Password fields hide and accept pasted text; passwords are used as typed and do not expire.',
    tests: [
      ['core/lib/password-hash.test.ts', 'a password matches its hash in every Unicode normal form'],
      ['plugins/local-auth/password-sign-in.test.ts', 'username ignores case, password does not'],
      ['test/e2e/browser/sign-up-and-sessions.test.ts', 'password fields hide their text and accept pasted text'],
    ],
  },
  {
    id: 'V6.3.2, V13.2.3',
    promise: 'There are no default accounts and credentials.',
    see: ['SEC-42'],
  },
  {
    id: 'V6.3.3',
    promise: 'Sign-in takes a second factor.',
    limit: 'Not built in. OpenID Connect providers and authenticating proxies can require one.',
  },
  {
    id: 'V6.3.5',
    promise:
      'A sign-in on a new device sends a message to the verified address of the account, which the user can turn off.',
    tests: [
      [
        'core/auth/email-verification.storages.test.ts',
        'sends a mail with the network and the browser, once in ten minutes',
      ],
      [
        'core/auth/email-verification.storages.test.ts',
        'sends none to an address that is not verified, nor to a user who turned it off',
      ],
    ],
  },
  {
    id: 'V6.4.1, V6.4.2, V6.4.3',
    promise:
      'First passwords are random and have to be changed; there are no hints. A link for a new password works once, for an hour, and its form says the same for every address.',
    tests: [
      ['core/auth/password-reset.storages.test.ts', 'a link sets a new password once, and ends sessions'],
      [
        'core/auth/password-reset.storages.test.ts',
        'an unknown address and an account without a password get the same response, and no mail',
      ],
      [
        'core/auth/password-reset.storages.test.ts',
        'a link expires after an hour, and with another link that was used',
      ],
      [
        'core/http/accounts.storages.test.ts',
        'a password set by an administrator is marked as generated until the user changes it',
      ],
      [
        'core/http/setup.storages.test.ts',
        'wrong, expired and replaced setup codes get the same error and are noted in the audit log',
      ],
    ],
  },
  {
    id: 'V6.5.2, V6.5.3, V7.2.2, V7.2.3, V11.5.1',
    promise: 'Tokens, sessions and claims are random values of at least 128 bits; only their hashes are stored.',
    tests: [
      ['core/http/tokens.storages.test.ts', 'a token is returned once, and neither storage nor log contain it'],
      ['core/auth/api-token-format.test.ts', 'a formatted token is parsed to the same values, and tokens are unique'],
    ],
    see: ['CRY-11'],
  },
  {
    id: 'V7.1.1, V7.1.2, V7.3.1, V7.3.2',
    promise: 'Sessions end after 7 days without use and after 30 days at the latest; a user has at most 20.',
    tests: [
      [
        'core/http/sessions.storages.test.ts',
        'a session expires after seven days',
        'refresh extends a session to 30 days at most',
        'a user has 20 sessions at most, and one more ends the oldest',
      ],
    ],
  },
  {
    id: 'V7.2.1, V7.2.4, V7.4.1, V7.4.2, V7.4.3',
    promise: 'The server verifies sessions, renews them at sign-in and ends them with the account and the password.',
    see: ['SEC-13'],
  },
  {
    id: 'V7.4.4, V7.4.5, V7.5.2',
    promise: 'Users sign out, list and end their sessions; administrators end those of a user.',
    tests: [
      ['core/http/sessions.storages.test.ts', 'users list their sessions and end one or all others'],
      ['test/e2e/browser/sign-up-and-sessions.test.ts', 'a user signs up, signs out and signs in again'],
      [
        'test/e2e/browser/administration.test.ts',
        'an administrator adds, edits, signs out and deletes a user, who signs in with the password from a one-time link',
      ],
    ],
  },
  {
    id: 'V8.1.1, V8.1.2, V8.2.1, V8.2.2, V8.2.3, V8.3.1, V15.3.1, V15.3.3',
    promise: 'Access follows one documented table, for functions, objects and fields, enforced by the server.',
    see: ['SEC-10', 'SEC-11', 'SEC-15', 'REL-16'],
  },
  {
    id: 'V9',
    promise:
      'Sessions and API tokens are opaque. ID tokens of OpenID Connect providers are accepted only with the right signature, issuer, audience, nonce and time.',
    tests: [['plugins/oidc/oidc-sign-in.test.ts', '%s is refused', 'wrong verifier or nonce is refused']],
  },
  {
    id: 'V11.1.1, V11.1.2, V11.2.1, V11.2.2, V11.2.3, V11.3.2, V11.3.3, V11.4.1, V11.4.2, V11.4.4',
    promise: 'Algorithms, parameters, keys and the way to replace them are documented in [crypto.md](crypto.md).',
    see: ['CRY-01', 'CRY-02', 'CRY-04'],
    limit:
      'The implementations of age and noble are published packages. An independent review of Mayfly has not happened.',
  },
  {
    id: 'V12.2.1, V12.3.1, V12.3.2',
    promise: 'Connections are encrypted, and certificates are verified.',
    tests: [
      ['cli/server.test.ts', 'an http publicUrl is for this machine only, unless allowHttp is set'],
      ['cli/commands/server/log-network-settings.test.ts', 'serve warns about connections without encryption'],
      ['plugins/s3/endpoint.test.ts', 'endpoint %j is valid, and unencrypted: %s'],
      ['plugins/knex/connection/server-options.test.ts', '%s with %j is unencrypted: %s'],
      [
        'test/chaos/database-connections.test.ts',
        'TLS accepts only a certificate of a trusted authority with the right name',
      ],
      ['test/e2e/cli/doctor.test.ts', 'an untrusted certificate and a missing response exit with 9'],
    ],
    limit: 'TLS of the site is up to the reverse proxy.',
  },
  {
    id: 'V13.1.1, V13.2.1, V13.2.2, V13.2.4',
    promise: 'Connections to databases, S3 and providers are documented and use credentials with few permissions.',
    tests: [['test/engines/s3-setup.test.ts', 'instances share a bucket by prefix, and other objects are kept']],
    limit:
      'Permissions are up to the operator. The role of the database changes the schema unless `serve --no-migrate` is used.',
  },
  {
    id: 'V13.3.1',
    promise: 'Secrets of the configuration can come from files, and are never printed.',
    tests: [
      [
        'config/config.test.ts',
        'a variable with the suffix _FILE is read from that file, without the final newline',
        'a secret is never printed, whatever its source',
      ],
    ],
  },
  {
    id: 'V13.4.1, V13.4.2, V13.4.3, V13.4.4, V13.4.5',
    promise: 'Only listed files are served: no folders, no TRACE, no metrics without a token.',
    tests: [
      ['plugins/web/web-plugin.test.ts', 'GET %s returns the 404 page'],
      ['core/http/api.test.ts', '%s %s returns %i as an error body'],
      ['plugins/metrics/metrics.test.ts', 'metrics server accepts only GET /metrics with the right token'],
    ],
  },
  {
    id: 'V14.1.1, V14.1.2, V14.2.1, V14.2.4',
    promise:
      'Data is classified and protected as [security.md](security.md) says; sealed links keep their key after `#`.',
    see: ['SEC-30', 'SEC-31', 'SEC-32', 'SEC-33'],
    limit: 'The URL of a raw secret contains its key. The log contains no URLs.',
  },
  {
    id: 'V14.2.2, V14.2.3, V14.3.2',
    promise: 'Nothing sensitive is cached, and no third party is involved.',
    tests: [['plugins/web/web-plugin.test.ts', 'GET %s returns a page with status %i and all security headers']],
    see: ['SEC-18'],
  },
  {
    id: 'V14.3.1, V14.3.3',
    promise: 'The browser stores no secret, and forgets what was opened.',
    tests: [
      [
        'test/e2e/browser/privacy.test.ts',
        'only the choice of a theme is stored',
        'a page that is left clears its secrets before the browser caches it',
      ],
    ],
  },
  {
    id: 'V15.1.1, V15.2.1',
    promise: 'Vulnerable components are replaced within the times of [SECURITY.md](../SECURITY.md).',
    limit: 'A process, not a test. `npm audit` is part of it: [crypto.md](crypto.md#supply-chain).',
  },
  {
    id: 'V15.1.2',
    promise: 'The package contains a list of its components (SBOM).',
    tests: [
      [
        'test/packaging/sbom.test.ts',
        'sbom.json lists every production package of the lockfile and the libraries of the pages',
      ],
    ],
  },
  {
    id: 'V15.1.3, V15.2.2',
    promise: 'Costly work is bounded: password hashes, uploads, downloads and cleanup.',
    tests: [
      [
        'core/lib/password-hash.test.ts',
        'hashing fails with server.busy while the queue is full and works again afterwards',
      ],
      ['core/http/downloads.test.ts', 'a fifth download at once is refused until one has ended'],
    ],
    see: ['SEC-35', 'REL-06'],
  },
  {
    id: 'V15.2.3',
    promise: 'The package contains no tests, maps and development files.',
    tests: [
      ['test/packaging/tarball.test.ts', 'the tarball is small and contains no tests, maps or development files'],
    ],
  },
  { id: 'V15.3.4', promise: 'The address of a client is its real one, or unknown.', see: ['SEC-21'] },
  {
    id: 'V15.3.5, V15.3.6, V15.3.7',
    promise: 'Values have types, prototypes are safe, and repeated parameters are refused.',
    tests: [['core/http/api.test.ts', '?%s']],
    see: ['SEC-09', 'SEC-29'],
  },
  {
    id: 'V16.1.1, V16.2.1, V16.2.2, V16.2.4, V16.2.5, V16.4.1, V16.4.3',
    promise: 'The log has JSON lines in UTC with request id, route and status; no value of a request can forge a line.',
    tests: [
      [
        'cli/commands/server/line-buffer.test.ts',
        'lines of one turn of the event loop are written in one piece, in order',
      ],
    ],
    see: ['SEC-32'],
  },
  {
    id: 'V16.3.1, V16.3.2, V16.3.3, V16.3.4',
    promise: 'The audit log has sign-ins, refusals, changes of administrators and attempts to bypass limits.',
    tests: [
      [
        'core/audit/secret-audit.test.ts',
        'the audit log has who created, viewed and burned a secret, from which network, and only the start of its id',
        'the audit log has expired and locked secrets and refused addresses',
      ],
      ['core/http/rate-limit.test.ts', 'refused requests are noted once in the audit log and then counted'],
      ['core/http/host-header.test.ts', 'refused hosts are logged once, without the name, and noted in the audit log'],
      [
        'core/http/settings.storages.test.ts',
        'administrators read and change settings, and each change is in the audit log',
      ],
    ],
  },
  {
    id: 'V16.4.2',
    promise: 'The audit log cannot be changed.',
    tests: [['core/testing/storage/audit.ts', 'append stores all entries or none and refuses an existing id']],
    limit: 'The program only appends and deletes by age. The role of the database could do more.',
  },
  {
    id: 'V16.5.1, V16.5.2, V16.5.3',
    promise: 'Errors reveal nothing, and failures of a dependency refuse requests instead of allowing them.',
    tests: [
      [
        'core/rate-limits/rate-limit-service.test.ts',
        'while the store fails, a quarter of each limit applies in this process',
      ],
      ['core/app.test.ts', 'an error of a plugin is a plain 500 with a request id that is in the log'],
    ],
    see: ['REL-07', 'REL-08', 'SEC-42'],
  },
]

/** Chapters and sections without a row. */
export const NOT_APPLICABLE =
  'Not applicable: WebRTC (V17), WebSocket (V4.4), GraphQL (V4.3), OAuth as a server (V10), XML, LDAP, XPath, LaTeX, JNDI, memcache, SAML and several tenants.'
