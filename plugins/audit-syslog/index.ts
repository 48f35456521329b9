/** Sends the audit log to a syslog server (RFC 5424). Documentation: docs/audit-sinks.md. */
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { type AuditEntry, definePlugin, OperatorError } from '#core'
import { toSyslogMessage } from './syslog-message.js'
import { options, parseTarget, type Target } from './syslog-options.js'
import { createTransport } from './syslog-transport.js'

/** Larger packets are lost on many networks (RFC 5426). */
const UDP_MAX = 2048

export default definePlugin({
  contract: 1,
  name: 'audit-syslog',
  options,
  setup({ url, facility, app, host, ...files }, { dataDir }) {
    if ((files.certFile === '') !== (files.keyFile === '')) {
      throw new OperatorError('certFile and keyFile must be set together', { isSetting: true })
    }
    const target = parseTarget(url) as Target
    const find = (file: string) => (file === '' ? '' : resolve(dataDir, file))
    const { caFile, certFile, keyFile } = files
    const transport = createTransport(target, {
      caFile: find(caFile),
      certFile: find(certFile),
      keyFile: find(keyFile),
    })
    const sender = { facility, app, host: host || hostname(), pid: process.pid }
    const toMessage = (entry: AuditEntry) => {
      const message = toSyslogMessage(entry, sender)
      const isTooLong = target.protocol === 'udp' && Buffer.byteLength(message) > UDP_MAX
      return isTooLong ? toSyslogMessage({ ...entry, detail: { cut: true } }, sender) : message
    }
    return {
      auditSink: { write: (entries) => transport.send(entries.map(toMessage)), ping: transport.ping },
      close: transport.close,
    }
  },
})
