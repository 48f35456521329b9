/** What `mayfly help TOPIC` prints. */
import { EXIT, MEANINGS, type Outcome } from './errors.js'

export const TOPICS: Record<string, string> = {
  'exit-codes': exitCodes(),
  environment: `MAYFLY_SERVER        address of the instance that \`secret create\` uses
MAYFLY_NO_INPUT      never ask anything; so does CI
MAYFLY_ACCESSIBLE    progress as lines instead of one that is drawn over again
TMPDIR               where a pipe waits, encrypted, until its length is known (default: /tmp)
NO_COLOR             no colours; so does TERM=dumb
FORCE_COLOR          colours also when stderr is not a terminal; so does CLICOLOR_FORCE
XDG_CONFIG_HOME      folder of mayfly/config.json, the client's config file (default: ~/.config)

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

# In CI: the link is a credential. Mask it before anything prints it, and never use set -x around it.
LINK=$(mayfly secret create < .env); echo "::add-mask::$LINK"
`,
}

function exitCodes(): string {
  const names = Object.keys(EXIT) as Outcome[]
  const rows = names.map((name) => `${String(EXIT[name]).padStart(3)}  ${name.padEnd(14)}  ${MEANINGS[name]}\n`)
  return `${rows.join('')}
With --json a failure is one line on stderr: {"error":{"code":"gone","message":"...","hint":"...","exit":3}}
`
}
