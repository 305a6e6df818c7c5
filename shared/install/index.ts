/** The install command: parse, bind to its listing, put in another profile, render. */
export { bindInstall } from './bind.ts'
export { findDependency, installedSpecKeys, parseDependency, repositoryOf, specKey } from './dependency.ts'
export { listingLink } from './link.ts'
export { isOwnerName, isPackageName, isProfileName, isProgramName, isRepoName } from './names.ts'
export { parseInstallCommand } from './parse.ts'
export { installArguments, type RenderOptions, renderInstall } from './render.ts'
export { specText } from './spec.ts'
export * from './types.ts'
