const INSTANT = 'ISO 8601 in UTC with milliseconds.'
const FULL_NAME = 'owner/repo, or owner/repo#sub/path for a plugin in a subdirectory. Case is kept; compare folded.'
const ADDRESS = 'An http or https address.'

/** Descriptions of fields, by schema. They are apart from the schemas, which clients bundle. */
export const DESCRIPTIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  InstallOption: {
    label: 'What the option is called, such as npm or GitHub.',
    cmd: 'The complete command.',
    note: 'What to know before using it; may be empty.',
  },
  PluginRecord: {
    fullName: FULL_NAME,
    summary: 'What it does, in English or whatever language its author wrote.',
    summaryZh: 'The same in Chinese.',
    category: 'One of the 14 category ids, a newer one, or null.',
    stars: 'Stars of the repository.',
    license: 'SPDX id, NOASSERTION, or null.',
    npmPackage: 'Name on the package registry; null when it is published nowhere.',
    installKind: 'npm, github, unknown, or a reserved kind.',
    install: 'The install command, or null when no command can install it.',
    installable: 'True exactly when install is not null. Independent of the verdict.',
    installOptions: 'Ways to install it, the one of install among them.',
    riskFlags: 'What to know before installing it.',
    repoUrl: ADDRESS,
    url: ADDRESS,
    name: 'Name of the plugin.',
    owner: 'Owner of the repository.',
    repo: 'Name of the repository.',
    subpath: 'Subdirectory the plugin lives in.',
    language: 'Main programming language.',
    pushedAt: INSTANT,
    installCheck: 'Verdict of the install check on install; null when untested.',
    installCheckedAt: INSTANT,
    blockedBuilds: 'Packages whose build scripts wait for approval.',
    inRegistry: 'Whether the listing comes from the curated community registry; says nothing of a package registry.',
  },
  PluginsPage: {
    total: 'Listings that match, over all pages.',
    count: 'Listings on this page.',
    results: 'The listings of this page.',
  },
  IndexListing: {
    fullName: FULL_NAME,
    category: 'Category id or null.',
    install: 'The install command, or null.',
    path: '/plugins/<slug>, or null when the listing has no page.',
    npm: 'Name on the package registry, or null.',
  },
  IndexDocument: {
    generated: INSTANT,
    count: 'Number of rows in plugins.',
    site: ADDRESS,
    fields: 'Column names of each row of plugins.',
    plugins: 'One row a listing.',
  },
  Error: { error: 'What is wrong and what to do.' },
}
