/** Texts of `mayfly help TOPIC`. */
import { EXIT, OUTCOME_DESCRIPTIONS, type Outcome } from '../lib/cli-error.js'

export const TOPICS: Record<string, string> = {
  'exit-codes': formatExitCodes(),
  formats: `stdout contains only the result. Messages go to stderr; --quiet prints only errors.

Link             https://secrets.example.org/secret/ID#KEY    KEY is never sent to the server
Link without key https://secrets.example.org/secret/ID        KEY is sent separately, for --key-file
Durations        90, 30s, 15m, 12h, 1d, 2w                    a number alone is seconds
Times            2026-01-31T12:00:00Z                         always UTC
Lists            a table on a terminal, tab-separated lines in a pipe, an array with --json
Text for people  secret read --peek and doctor, in a pipe too; programs use --json

With --json stdout is one document with keys in snake_case. Keys may be added. A removed or renamed key
changes \`schema_version\` of \`mayfly version --json\`.

  secret create    id kind link key link_without_key expires_at views has_password burn_token files
                   [{name size}]; password, if generated; receipt, if asked for
  secret read      id kind title text (or text_base64) files [{name size path}] views_left expires_at mismatches
  secret read --peek  id kind views_left has_password files expires_at
  env              variables {NAME: value}
  inject           output places secrets [{lines views_left expires_at mismatches}], without values
  secret burn      burned
  secret update    id views_left expires_at allowed_ip; label, if given
  secret wait      id gone
  secret status    state (waiting, opened, used-up, burned or expired) views views_limit opened [{at network browser}]
                   wrong_passwords wrong_password_at refused_addresses refused_address_at created_at expires_at
                   ended_at kept_until
  secret list      [{id kind title views_left has_password files created_at expires_at label opened_by
                   recipient_views [views]}]
  secret list --state ended  [{id state ended_at created_at kind views views_limit has_password files label}], also
                   secret export
  request create   id link expires_at submissions collect_file; collect_link, if asked for
  request list     [{id submissions unopened max_submissions files created_at expires_at}]
  request show     id title instructions expires_at submissions_left files max_bytes max_file_bytes; with the
                   collect link id title instructions expires_at submissions [{id opened files size created_at expires_at}]
  request close    id closed
  request submit   id expires_at files
  request collect  like secret read
  webhook list     [{id name url events state failing_since created_at}]
  webhook add      id name url events state failing_since created_at secret; also webhook rotate
  webhook remove   id removed
  webhook ping     result
  webhook deliveries  [{id type subject state attempts result created_at next_at ended_at}]
  webhook redeliver  id delivery queued
  user add         username email role; groups, password or link, if there are. With --from one line per user,
                   with username and error for failed ones
  import hemmelig  one line per user, as user add --from; with --dry-run users [{username email role state
                   problem}] settings secrets files
  user list        [{username email email_verified role groups secrets passkeys authenticator
                   grace_ends_at must_change_password created_at last_sign_in suspended_at}]
  user token       username id token expires_at
  user token --list  [{id name scopes created_at used_at expires_at}]
  user role        username role
  user groups      username groups
  user email       username email email_verified, like user verify-email
  user suspend     username suspended, like user resume
  user end-sessions  username ended
  user access      [{id name created_at used_at}]
  user revoke      username revoked
  user lock-out    username locked_out
  user reset-factors  username factors_reset
  user passwd      username; password, if generated
  user delete      username action
  settings list    an object with all settings; also settings set
  settings get     an object with one setting
  settings policy  an object with the policies by audience
  settings explain [{column value from}]
  settings preset  [{name ttl maxViews options}]
  config list      [{key value origin}]; with --client an object, also config get and config set
  audit            [{id at action actor subject address detail}]
  events list      [{id type subject subscriber state attempts result at next_at ended_at data}]
  events ping      result
  events redeliver queued
  events purge     deleted
  login            server username
  logout           server
  whoami           username role server defaults{ttl views} uploads{used_bytes limit_bytes ends_at}
  migrate          names of the migrations that ran; with status [{name state ran_at}]
  mail test        [{plugin result}]
  backup           rows blobs bytes sha256
  restore          rows blobs ended authenticated_by (instance, file, passphrase or null); with --dry-run the
                   manifest with created_at, and rows and authenticated_by
  db copy          tables [{table from to is_same}] files
  db compact       bytes_before bytes_after
  purge            secrets files orphans dry_run
  plugin list      [{name source version contract slots commands settings}]
  plugin check     name contract hooks commands settings checks [{check level message}]
  doctor           [{section check level message fix}]
  verify-web       files problems
  setup            config_file public_url storage files migrated tried admin; password, if generated
  version          schema_version version node

With --json an error is one line on stderr. \`hint\` is optional; \`ref\` is the request id in the server's log, if there is one:

  {"error":{"code":"unavailable","message":"...","hint":"...","exit":6,"ref":"..."}}

With --progress=json a transfer prints its progress as lines on stderr:

  {"done":8388608,"total":30000000,"waiting":false}
`,
  environment: `MAYFLY_SERVER        URL of the server that client commands use
MAYFLY_PUBLIC_URL    public address of that server, if it is another one: new links begin with it; same as \`public_url\` of \`mayfly config set\`
MAYFLY_PROFILE       profile of the command line, see \`mayfly config set\`; same as --profile
MAYFLY_CONFIG        config file of the instance; same as --config
MAYFLY_TOKEN         API token for MAYFLY_SERVER, sent to no other server; MAYFLY_TOKEN_FILE names a file with the token
MAYFLY_ADMIN_USERNAME, MAYFLY_ADMIN_EMAIL, MAYFLY_ADMIN_PASSWORD_FILE
                     first administrator, created by \`serve\` or \`setup\` while there is none; the file contains the password
MAYFLY_NO_INPUT      never prompt; same with CI
MAYFLY_ACCESSIBLE    print progress as lines instead of redrawing one line
TMPDIR               folder for encrypted temporary files of pipes (default: /tmp)
NO_COLOR             no color; same with TERM=dumb
FORCE_COLOR          color even if the output is not a terminal; same with CLICOLOR_FORCE
XDG_STATE_HOME       folder of mayfly/claims, the state to repeat an unfinished read (default: ~/.local/state)
XDG_RUNTIME_DIR      folder for the files of \`run --as-file\` (default: TMPDIR)
XDG_CONFIG_HOME      folder of mayfly/config.json, the client's config file, and of stored tokens (default: ~/.config)
HTTPS_PROXY          http or https proxy for https servers; HTTP_PROXY for http servers. Also in small letters
NO_PROXY             hosts and domains that need no proxy, such as localhost,.example.org; * for all

Every config setting of the instance has a variable, such as MAYFLY_PUBLIC_URL for \`publicUrl\`.
MAYFLY_PUBLIC_URL_FILE names a file with the value. \`mayfly config list\` prints the current settings,
\`mayfly config list --markdown\` lists all settings.

Flags override variables, and variables override config files.
`,
  examples: `# Share a text, byte for byte; stdout is only the link.
LINK=$(mayfly secret create < .env)

# Share a generated password for one hour, without its line end.
openssl rand -base64 24 | mayfly secret create --chomp --ttl 1h

# Send link and key separately.
mayfly secret create --split < token.txt

# Open a link; it stays out of \`ps\` and the shell history.
mayfly secret read - <<< "$LINK"

# Pipe a secret into a program.
mayfly secret read "$LINK" | kubectl create secret generic db --from-file=password=/dev/stdin

# Share files with a text.
mayfly secret create -f report.pdf -f figures.xlsx --text "as we said"

# Share a database dump; the plaintext never touches the disk.
pg_dump app | mayfly secret create --file - --name app.sql --ttl 1h

# Protect a file with a generated password.
tar cz certs | mayfly secret create -f - --name certs.tgz --generate-password --json | jq -r '.link, .password'

# Save files to a folder; never overwrites. A single file can also be piped.
mayfly secret read - --out-dir ./in <<< "$LINK"

# Check whether a secret still exists; exit code 3 means gone.
mayfly secret read --peek "$LINK" --json > meta.json || [ $? -ne 3 ] || echo gone

# Pass a secret in the environment of one command.
printf 'PGPASSWORD=%s\\n' "$LINK" | mayfly run --links - -- psql

# Set variables in the shell; stops if a link cannot be opened.
vars=$(mayfly env --links links.env) && eval "$vars"

# Fill the places {{ mayfly:LINK }} of a template. The file is complete or does not appear.
mayfly inject -i config.template.yml -o config.yml

# In CI the link is a credential: mask it before anything prints it, and don't use set -x.
LINK=$(mayfly secret create --mask github < .env)

# Without Mayfly; the server sees the plaintext and encrypts it. docs/recipes.md shows how to seal with curl and openssl.
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
