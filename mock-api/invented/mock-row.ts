import { DEFAULTS, type InstallOption, nameParts, type PluginRecord } from '@plugmark/shared/contract'

/** A record, with what the API does not say of it. */
export interface MockRow extends PluginRecord {
  /** Of the repository, on the code host. `q` searches it. */
  readonly description?: string | null
  /** Risk flags that only the live service sends. */
  readonly liveRiskFlags?: readonly string[]
}

/** Address below which the rows have their pages; a catalogue puts its own site in its place. */
const SITE = 'https://directory.example'

/**
 * Creates a row from what is particular about it. Its commands follow from where its package is: a published one installs
 * by its name, one in the root of a repository from there, and there is no command for an unpublished subdirectory.
 *
 * @param fields.hasPage false for a listing whose page is its repository
 */
export function createRow({
  fullName,
  npmPackage = null,
  hasPage = true,
  ...fields
}: Partial<MockRow> & { readonly fullName: string; readonly hasPage?: boolean }): MockRow {
  const { owner, repo, subpath } = nameParts(fullName)
  const repoUrl = `https://github.com/${owner}/${repo}`
  const optionOf = (label: string, spec: string, note: string): InstallOption => ({
    label,
    cmd: `${DEFAULTS.cli} plugin --profile ${DEFAULTS.profile} add ${spec}`,
    note,
  })
  const installOptions = [
    ...(npmPackage === null ? [] : [optionOf('npm', npmPackage, 'Installs the published package.')]),
    ...(subpath === null ? [optionOf('GitHub', `github:${owner}/${repo}`, 'Installs the latest commit.')] : []),
  ]
  const install = installOptions[0]?.cmd ?? null
  return {
    fullName,
    name: subpath?.split('/').at(-1) ?? repo,
    owner,
    repo,
    subpath,
    summary: null,
    summaryZh: null,
    category: null,
    language: null,
    license: null,
    stars: 0,
    pushedAt: '2026-01-01T00:00:00.000Z',
    repoUrl,
    url: hasPage ? `${SITE}/plugins/${slugOf(fullName)}` : repoUrl,
    npmPackage,
    installKind: npmPackage === null ? 'github' : 'npm',
    install,
    installable: install !== null,
    installOptions,
    installCheck: null,
    installCheckedAt: null,
    blockedBuilds: [],
    riskFlags: [],
    inRegistry: true,
    ...fields,
  }
}

/** Returns the name in lower case, with a hyphen for each run of anything but ASCII letters and digits. */
const slugOf = (fullName: string): string =>
  fullName
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
