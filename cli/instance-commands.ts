/** Commands that need the code of the server. The single file of the client has none of them, see decision 054. */

import type { Command } from './commands/command.js'
import { configList } from './commands/config/list.js'
import { doctor } from './commands/doctor/doctor.js'
import { verifyWeb } from './commands/doctor/verify-web.js'
import { eventsList } from './commands/events/events-list.js'
import { eventsPing } from './commands/events/ping.js'
import { eventsPurge } from './commands/events/purge.js'
import { eventsRedeliver } from './commands/events/redeliver.js'
import { mailTest } from './commands/mail/mail-test.js'
import { audit } from './commands/maintenance/audit.js'
import { backup } from './commands/maintenance/backup.js'
import { purge } from './commands/maintenance/purge.js'
import { restore } from './commands/maintenance/restore.js'
import { pluginCheck } from './commands/plugin/plugin-check.js'
import { pluginList } from './commands/plugin/plugin-list.js'
import { man } from './commands/reference/man.js'
import { dbCopy } from './commands/server/db-copy.js'
import { migrate } from './commands/server/migrate.js'
import { serve } from './commands/server/serve.js'
import { settingsGet } from './commands/settings/get.js'
import { settingsList } from './commands/settings/list.js'
import { settingsSet } from './commands/settings/set.js'
import { setup } from './commands/setup/setup.js'
import { userAdd } from './commands/user/add.js'
import { userDelete } from './commands/user/delete.js'
import { userList } from './commands/user/list.js'
import { userPasswd } from './commands/user/passwd.js'
import { userRole } from './commands/user/role.js'
import { userToken } from './commands/user/token.js'

export const INSTANCE_COMMANDS: Command[] = [
  setup,
  serve,
  migrate,
  userAdd,
  userList,
  userRole,
  userPasswd,
  userDelete,
  userToken,
  settingsList,
  settingsGet,
  settingsSet,
  audit,
  eventsList,
  eventsPing,
  eventsRedeliver,
  eventsPurge,
  pluginList,
  pluginCheck,
  mailTest,
  dbCopy,
  backup,
  restore,
  purge,
  doctor,
  verifyWeb,
  man,
  configList,
]
