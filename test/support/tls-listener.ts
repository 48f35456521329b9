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

/**
 * A certificate for localhost in a temporary folder. It is its own authority, unless it is signed by another one of its
 * own.
 */
export function createCertificate({ isSigned = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-tls-'))
  const [caFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  execFileSync('openssl', ['req', '-x509', ...curve, ...subject, '-out', caFile, '-keyout', keyFile], {
    stdio: 'ignore',
  })
  if (isSigned) signByAuthority(folder, caFile, keyFile)
  const close = () => rmSync(folder, { recursive: true })
  return { cert: readFileSync(caFile), key: readFileSync(keyFile), caFile, close }
}

/** Replaces the certificate by a certificate of a new authority. */
function signByAuthority(folder: string, certFile: string, keyFile: string): void {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' })
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-subj',
    '/CN=authority',
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
  )
  openssl('req', '-new', '-key', keyFile, ...names, '-out', 'request.pem')
  const signing = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-copy_extensions', 'copy', '-days', '2']
  openssl('x509', '-req', '-in', 'request.pem', ...signing, '-out', certFile)
}

export function createTlsListener(): TlsListener {
  const { cert, key, caFile, close } = createCertificate()
  const server = createServer({ cert, key })
  // A client that does not accept the certificate.
  server.on('tlsClientError', () => {})
  return { server, caFile, close }
}
