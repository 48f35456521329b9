/** The flags of `mayfly setup`. */
export interface SetupFlags {
  databaseUrl?: string
  dataDir?: string
  storage?: string
  publicUrl?: string
  port?: string
  set?: string[]
  adminUsername?: string
  adminEmail?: string
  adminPasswordFile?: string
  generateAdminPassword?: true
  readOnly?: true
  disableSignup?: true
  orgEmailDomain?: string
  write?: string
  print?: true
  dryRun?: true
  force?: true
}
