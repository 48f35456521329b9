/** What `mayfly help TOPIC` prints. */
import { EXIT, OUTCOME_DESCRIPTIONS, type Outcome } from '../lib/cli-error.js'

export const TOPICS: Record<string, string> = {
  'exit-codes': formatExitCodes(),
  formats: `stdout is the result and nothing else. Everything for people goes to stderr, and --quiet leaves only errors of it.

A link           https://secrets.example.org/secret/ID#KEY    KEY never reaches the server
Without its key  https://secrets.example.org/secret/ID        KEY goes over another channel, for --key-file
Durations        90, 30s, 15m, 12h, 1d, 2w                    a number alone is seconds
Times            2026-01-31T12:00:00Z                         always UTC
Lists            a table on a terminal, lines with tabs in a pipe, an array with --json

With --json stdout is one document with keys in snake_case. Keys are added, never renamed or removed:
\`schema_version\` of \`mayfly version --json\` would say so.

  secret create    id kind link key link_without_key expires_at views has_password burn_token files
                   [{name size}] and, when it was generated, password
  secret read      id kind title text (or text_base64) files [{name size path}] views_left expires_at mismatches
  secret read --peek  id kind views_left has_password files expires_at
  secret burn      burned
  secret wait      id gone
  secret list      [{id kind title views_left has_password files created_at expires_at}]
  user add         username email role and, when it was made up, password, or link; with --from one line each,
                   those that failed with username and error
  user list        [{username email role secrets must_change_password created_at}]
  user token       username id token expires_at
  settings list    the settings by their names
  audit            [{id at action actor subject address detail}]
  whoami           username role server
  version          schema_version version node

With --json an error is one line on stderr. \`hint\` may be missing; \`ref\` is there when the server's log knows more:

  {"error":{"code":"unavailable","message":"...","hint":"...","exit":6,"ref":"..."}}

With --progress=json each step of a transfer is one line on stderr:

  {"done":8388608,"total":30000000,"waiting":false}
`,
  environment: `MAYFLY_SERVER        address of the instance that \`secret create\` uses
MAYFLY_TOKEN         API token for MAYFLY_SERVER, sent to no other; MAYFLY_TOKEN_FILE names a file that holds it
MAYFLY_NO_INPUT      never ask anything; so does CI
MAYFLY_ACCESSIBLE    progress as lines instead of one that is drawn over again
TMPDIR               where a pipe waits, encrypted, until its length is known (default: /tmp)
NO_COLOR             no colours; so does TERM=dumb
FORCE_COLOR          colours also when stderr is not a terminal; so does CLICOLOR_FORCE
XDG_CONFIG_HOME      folder of mayfly/config.json, the client's config file, and of kept tokens (default: ~/.config)
NODE_USE_ENV_PROXY   1: go through the proxy that HTTPS_PROXY and NO_PROXY name; Node itself does that from 22.21 and 24 on

Every setting of the instance is also a variable, \`publicUrl\` as MAYFLY_PUBLIC_URL, and
MAYFLY_PUBLIC_URL_FILE names a file that holds the value. \`mayfly config list\` prints what is in
force, \`mayfly config list --markdown\` all there are.

Flags beat variables, and variables beat config files.
`,
  examples: `# Share a file; stdout is the link and nothing else.
LINK=$(mayfly secret create < .env)

# A password that a program makes, for an hour; the line end is dropped.
openssl rand -base64 24 | mayfly secret create --ttl 1h

# Link and key over two channels.
mayfly secret create --split < token.txt

# Open a link without showing it to \`ps\` and the shell's history.
mayfly secret read - <<< "$LINK"

# Into a program.
mayfly secret read "$LINK" | kubectl create secret generic db --from-file=password=/dev/stdin

# Files, with a word about them.
mayfly secret create -f report.pdf -f figures.xlsx --text "as we said"

# A dump: encrypted as it comes, so that it never is on the disk in the clear.
pg_dump app | mayfly secret create --file - --name app.sql --ttl 1h

# With a password that somebody says on the phone.
tar cz certs | mayfly secret create -f - --name certs.tgz --generate-password --json | jq -r '.link, .password'

# Files into a folder, over nothing that is there; one file alone also goes into a pipe.
mayfly secret read - --out-dir ./in <<< "$LINK"

# Is it still there? 3 is no.
mayfly secret read --peek "$LINK" --json > meta.json || [ $? -ne 3 ] || echo gone

# Into the environment of one command; nothing is printed or written.
printf 'PGPASSWORD=%s\\n' "$LINK" | mayfly run --links - -- psql

# In CI: the link is a credential. Hide it before anything prints it, and never use set -x around it.
LINK=$(mayfly secret create --mask github < .env)

# Without Mayfly: the server encrypts it, so it sees it for a moment. How to seal with curl and openssl: docs/recipes.md.
curl -fsS "$MAYFLY_SERVER/api/v1/secret" -H 'content-type: application/json' -d '{"text":"...","ttl":3600}'
`,
}

function formatExitCodes(): string {
  const names = Object.keys(EXIT) as Outcome[]
  const rows = names.map(
    (name) => `${String(EXIT[name]).padStart(3)}  ${name.padEnd(14)}  ${OUTCOME_DESCRIPTIONS[name]}\n`,
  )
  return `${rows.join('')}
With --json a failure is one line on stderr: {"error":{"code":"gone","message":"...","hint":"...","exit":3}}
`
}
