/** The install command: parse it, check that it installs its listing, render it for another profile. */
export {
  bindInstall,
  installArguments,
  parseInstallCommand,
  type RenderOptions,
  renderInstall,
  specText,
} from './command.ts'
export {
  findDependency,
  findListedDependency,
  installedSpecKeys,
  listingKeys,
  parseDependency,
  repositoryOf,
  specKey,
} from './dependency.ts'
export { isOwnerName, isPackageName, isProfileName, isProgramName, isRepoName, PROFILE_NAME } from './names.ts'
export {
  isOnlySource,
  MAX_SOURCE_LENGTH,
  parseSource,
  renderSource,
  type Source,
  sourceName,
  sourceOfId,
} from './source.ts'
export * from './types.ts'
