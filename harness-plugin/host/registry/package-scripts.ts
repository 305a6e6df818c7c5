/** Finds the scripts of a package.json that a package manager runs. */

/** Scripts that run when a package is installed. */
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall']
/** Scripts that package managers run to build a repository before they install it. */
export const BUILD_SCRIPTS = ['prepublish', 'prepare', 'prepack', 'publish']

type Scripts = Readonly<Record<string, string>>

const pickScripts = (scripts: Scripts, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (scripts[name] ? [[name, scripts[name]]] : [])))

/**
 * Returns what an install of a package runs. One with a `binding.gyp` is compiled, unless it has a script of its own for
 * that or forbids it. A registry adds that script itself when it is published.
 */
export function installScripts(
  { scripts, gypfile }: { readonly scripts: Scripts; readonly gypfile?: unknown },
  hasBindingGyp = false,
): Record<string, string> {
  const isCompiled = hasBindingGyp && gypfile !== false && !scripts.install && !scripts.preinstall
  return { ...pickScripts(scripts, INSTALL_SCRIPTS), ...(isCompiled && { install: 'node-gyp rebuild' }) }
}

export const buildScripts = (scripts: Scripts): Record<string, string> => pickScripts(scripts, BUILD_SCRIPTS)
