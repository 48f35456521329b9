/**
 * Variables that Kubernetes sets in each container for a service named `mayfly` or `mayfly-...`, and Docker for a
 * linked container: `MAYFLY_PORT=tcp://10.0.0.1:3000`, `MAYFLY_SERVICE_HOST`, `MAYFLY_PORT_3000_TCP_ADDR` and others.
 */

const ADDRESS = /^(tcp|udp|sctp):\/\//
const NAME = /^MAYFLY_(\w+_)?(SERVICE_(HOST|PORT)(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_\w+)?)$|^MAYFLY_(ENV_\w+|NAME)$/

/** True if the variable describes a service and is not a setting. */
export const isServiceVariable = (name: string, value = ''): boolean =>
  NAME.test(name) || (name.endsWith('_PORT') && ADDRESS.test(value))
