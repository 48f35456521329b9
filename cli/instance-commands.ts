/** Commands that need the code of the server. The single file of the client has none of them, see decision 040. */

import type { Command } from './commands/command.js'
import { configList } from './commands/config/config-list-command.js'
import { doctorCommands } from './commands/doctor/doctor-commands.js'
import { eventsCommands } from './commands/events/events-commands.js'
import { importCommands } from './commands/import/import-commands.js'
import { mailCommands } from './commands/mail/mail-commands.js'
import { maintenanceCommands } from './commands/maintenance/maintenance-commands.js'
import { pluginCommands } from './commands/plugin/plugin-commands.js'
import { serverCommands } from './commands/server/server-commands.js'
import { settingsCommands } from './commands/settings/settings-commands.js'
import { setupCommands } from './commands/setup/setup-commands.js'
import { userCommands } from './commands/user/user-commands.js'

export const INSTANCE_COMMANDS: Command[] = [
  ...setupCommands,
  ...serverCommands,
  ...userCommands,
  ...importCommands,
  ...settingsCommands,
  ...eventsCommands,
  ...pluginCommands,
  ...mailCommands,
  ...maintenanceCommands,
  ...doctorCommands,
  configList,
]
