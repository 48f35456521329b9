/** Creates one-time links with credentials. They are sealed locally, so that the storage never has the key. */
import { encryptSecret } from '#shared/crypto/encrypt-secret'
import { encodeText } from '#shared/crypto/envelope'
import { formatLink } from '#shared/link'
import { chooseLinkBase } from '../../client/link-base.js'
import type { Administration } from '../../instance/administration.js'
import { CliError } from '../../lib/cli-error.js'

export interface CredentialsLink {
  link: string
  /** Burns the secret of the link. */
  burn(): Promise<void>
}

/**
 * `ttl`: seconds. Throws CliError `usage` when the public URL is unknown, because the link would point to localhost,
 * and `check_failed` if the server returns another address.
 */
export async function createCredentialsLink(
  administration: Pick<Administration, 'publicUrl' | 'createSecret' | 'burnSecret'>,
  { username, password }: { username: string; password: string },
  ttl: number,
): Promise<CredentialsLink> {
  const { publicUrl } = administration
  if (publicUrl === null) {
    const hint = 'set MAYFLY_PUBLIC_URL or publicUrl in the config, or leave out --send-link'
    throw new CliError('usage', '--send-link needs the public URL of the instance', hint)
  }
  const text = `Sign in at ${publicUrl}\n\nUser name: ${username}\nPassword: ${password}\n`
  const { body, fragment } = await encryptSecret({
    text: encodeText(text),
    title: publicUrl,
    files: [],
    ttl,
    maxViews: 1,
    preventBurn: false,
  })
  const { id, url, burnToken } = await administration.createSecret(body)
  const burn = async () => void (await administration.burnSecret(id, burnToken))
  try {
    return { link: formatLink(`${chooseLinkBase(url, [publicUrl])}/secret/${id}`, fragment), burn }
  } catch (error) {
    await burn().catch(() => {})
    throw error
  }
}
