/** A TLS server for localhost with a certificate that openssl makes. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, type Server } from 'node:tls'

export interface TlsListener {
  server: Server
  /** The certificate, which is its own authority. */
  caFile: string
  close(): void
}

export function createTlsListener(): TlsListener {
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-tls-'))
  const [caFile, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  execFileSync('openssl', ['req', '-x509', ...curve, ...subject, '-out', caFile, '-keyout', key], { stdio: 'ignore' })
  const server = createServer({ cert: readFileSync(caFile), key: readFileSync(key) })
  // A client that does not accept the certificate.
  server.on('tlsClientError', () => {})
  return { server, caFile, close: () => rmSync(folder, { recursive: true }) }
}
