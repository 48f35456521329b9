/** API for programs that run Mayfly: the CLI and the tests. Plugins import core/index.ts instead. */
export { type ChainProblem, type ChainReport, verifyChain } from './audit/audit-chain.js'
export {
  createUser,
  deleteUser,
  deleteUserToken,
  endUserSessions,
  listUserAccess,
  listUsers,
  listUserTokens,
  lockOutUser,
  resetUserFactors,
  revokeUserAccess,
  setUserPassword,
  updateUser,
} from './auth/administer-users.js'
export { createToken, deleteToken, listTokens } from './auth/api-tokens.js'
export { createAccount } from './auth/create-account.js'
export { issueSetupCode } from './auth/setup-code.js'
export { checkPlugin } from './check-plugin.js'
export { deleteExpiredSecrets } from './cleanup/expired-secrets.js'
export { countOrphans, deleteExpiredFiles, reconcileFiles } from './cleanup/orphaned-files.js'
export { CLOCK_KEY } from './cleanup/scheduler.js'
export { type AuthContext, LOCAL_CLI, toAuthContext } from './contracts/auth-context.js'
export { createApp, type RunningApp } from './create-app.js'
export { pingChannel } from './events/durable-events.js'
export { freePort, listen, stopListening } from './http/server.js'
export { createLog, type Log, type LogLevel, noLog } from './lib/log.js'
export { findOperatorError } from './lib/operator-error.js'
export { sendTestNotification } from './notifications/notification-settings.js'
export { openStorage, openStores } from './open-storage.js'
export { type Finding, fail, ok, PROBLEMS, warn } from './overview/finding.js'
export {
  checkConnection,
  checkExposure,
  checkNodeVersion,
  checkQueues,
} from './overview/instance-checks.js'
export { checkAdministratorFactors, checkFactorKey, checkPasskeyHost } from './overview/second-factor-checks.js'
export { listPluginSettings } from './plugins/list-plugin-settings.js'
export { loadPlugin, locatePlugin } from './plugins/load-plugin.js'
export type { Hooks, Plugin } from './plugins/plugin.js'
export { PluginError } from './plugins/plugin-error.js'
export { type ConfiguredPlugin, isSingleProcess } from './plugins/start-plugins.js'
export { burnSecret } from './secrets/burn-secret.js'
export { createSecret } from './secrets/create-secret.js'
export { INSTANCE_KEY, loadInstanceKey, parseInstanceKey } from './settings/instance-key.js'
export { explainPolicy, listPolicies, updatePolicies } from './settings/manage-policies.js'
export { listPresets, updatePresets } from './settings/manage-presets.js'
export type { AppSettings } from './settings/startup-config.js'
