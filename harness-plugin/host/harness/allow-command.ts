import { isProfileName, isProgramName } from '@plugmark/shared/install'
import { isPlugin, isVersion } from './requirements.ts'

/**
 * The harness's command that accepts one version of a plugin although it refuses it. Every character of it means itself
 * in a shell.
 *
 * @param plugin `name@version`
 * @returns null when one of them is not what it should be
 */
export function allowCommand(
  { cli, profile }: { readonly cli: string; readonly profile: string },
  plugin: string,
  harness: string,
): string | null {
  if (!isProgramName(cli) || !isProfileName(profile) || !isPlugin(plugin) || !isVersion(harness)) return null
  return `${cli} plugin --profile ${profile} allow-version ${plugin} --dsh-version ${harness} --accept-risk`
}
