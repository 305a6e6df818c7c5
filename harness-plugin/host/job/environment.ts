/**
 * What an install gets to see of this process's environment. A plugin's install script runs with it, so it carries
 * what a package manager needs to work here, and no key or token that happens to be set.
 */
const PASSED_ON = new Set(
  [
    ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TZ', 'TMPDIR'],
    ['XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'PNPM_HOME'],
    ['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_NOSYSTEM', 'GIT_SSL_CAINFO'],
    ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
    ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'],
    // Windows
    ['SYSTEMROOT', 'WINDIR', 'COMSPEC', 'PATHEXT', 'TEMP', 'TMP', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA'],
  ].flat(),
)

/** Nobody is there to answer a question, terminal codes would only be stripped, and why something failed is read in English. */
const FIXED = { CI: 'true', NO_COLOR: '1', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C.UTF-8' }

/**
 * @param from this process's environment
 * @param home the harness home, put into `homeVariable`
 */
export function jobEnvironment(
  from: Readonly<Record<string, string | undefined>>,
  { home, homeVariable }: { readonly home: string; readonly homeVariable: string },
): Record<string, string> {
  const passed: Record<string, string> = {}
  for (const [name, value] of Object.entries(from)) {
    // Proxies are commonly written in lower case, and Windows writes Path.
    if (value !== undefined && PASSED_ON.has(name.toUpperCase())) passed[name] = value
  }
  return { ...passed, ...FIXED, [homeVariable]: home }
}
