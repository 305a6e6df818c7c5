/** Words of the search. Counts are already formatted for the language. */
export const finding = {
  search: 'Search plugins',
  completions: 'Suggestions',
  plugins: 'Plugins',
  results: 'Results',
  count: (shown: string, isOne: boolean) => `${shown} plugin${isOne ? '' : 's'}`,
  /** Behind the number, while the filter by install check is as it is at first. */
  /** Follows the number of rows, where all of them install. */
  passed: (passed: number, approvals: number) => {
    const needs = approvals === 1 ? 'needs approval' : 'need approval'
    if (approvals === 0) return 'passed the install check'
    return passed === 0 ? needs : `${passed} passed the install check, ${approvals} ${needs}`
  },
  /** Follows the number of rows, where some of them fail, do not fit the harness or were not checked. */
  installHere: (count: number, isOne: boolean) =>
    `${count === 0 ? (isOne ? 'not' : 'none') : count} known to install here`,
  asking: 'Searching the directory for more…',
  askFailed: 'Directory not reachable. Showing results from the stored list.',
  /** Rows that wait because the list is being used. */
  waiting: (count: string, isOne: boolean) => `Show ${count} more plugin${isOne ? '' : 's'}`,
  /** A link leads to a plugin that the directory does not have. */
  noListing: (id: string) => `${id} is not in the directory.`,
  refresh: 'Refresh',
  filters: 'Filters',
  filtersOn: (count: number) => (count === 0 ? 'Filters' : `Filters (${count})`),
  closeFilters: 'Close filters',
  clear: 'Clear filters',
  chips: 'Active filters',
  /** A value that means nothing without its facet. */
  facetValue: (facet: string, value: string) => `${facet}: ${value.toLowerCase()}`,
  removeChip: (name: string) => `Remove filter: ${name}`,
  moreFilters: 'More filters',
  more: 'More…',
  fewer: 'Fewer',
  sort: 'Sort by',
  bestMatch: 'Best match',
  sorts: { stars: 'Stars', pushed: 'Recently updated', checked: 'Recently checked', name: 'Name' },
  unknownKey: (key: string, keys: string) => `Unknown filter “${key}:”, ignored. Filters are ${keys}.`,
  /** The other key is one letter away. */
  nearKey: (key: string, near: string) => `Unknown filter “${key}:”, ignored. Did you mean “${near}:”?`,
  unknownValue: (noun: string, values: string) => `Unknown ${noun} “${values}”, ignored.`,
  /** Says of a value that no plugin has, in place of results. */
  strangeValue: (noun: string, value: string, near?: string) =>
    `Unknown ${noun} “${value}”.${near === undefined ? '' : ` Did you mean “${near}”?`}`,
  row: {
    notInstallable: 'Not installable',
    /** Stars that the parts of a repository share. */
    sharedStars: (count: string) => `${count} (repository)`,
    doesNotFit: 'Does not fit',
    pushed: (ago: string) => `Updated ${ago}`,
    problems: (count: number) => (count === 1 ? 'One known problem' : `${count} known problems`),
    passed: (ago: string) => `Passed ${ago}`,
    /** Replaces Install after a trial that the plugin failed. */
    retry: 'Try again…',
    retryNamed: (name: string) => `Try to install ${name} again`,
  },
  details: {
    title: 'Details',
    loading: 'Loading details…',
    failed: (message: string) => `Could not load the details. ${message}`.trim(),
    showAnyway: 'Show the command anyway',
    siblings: 'Also in this repository',
    byOwner: (owner: string) => `All plugins of ${owner}`,
    undescribed: 'Directory not reachable, so only its name is known.',
  },
  none: {
    title: 'No plugin matches',
    text: 'Try other words, in English or Chinese, or clear the search and choose a category.',
    elsewhere: 'Search GitHub',
    clearSearch: 'Clear search',
  },
  /** Includes plugins that did not pass the install check. */
  searchAll: (count: string) => `Show all (${count})`,
  /** Plugins that the filter by install check hides: those that did not pass, unless the user chose another. */
  hidden: (count: string, isOne: boolean, isChosen: boolean) =>
    `${count} more ${isChosen ? `${isOne ? 'is' : 'are'} left out by the filter` : 'did not pass the install check'}.`,
  /** Plugins with the words that the chosen category, or other filters, leave out. */
  outside: (count: number, isCategory: boolean) =>
    `${count} plugin${count === 1 ? ' matches' : 's match'} ${isCategory ? 'outside this category' : 'without the filters'}.`,
  /** The corrected words stand between each two: of a correction that was applied, and of one that is offered. */
  corrected: ['Showing results for', '.'],
  searchInstead: (words: string) => `Search instead for ${words}`,
  didYouMean: ['Did you mean', '?'],
  /** Shown when rows have only some of the words: `complete` is the number of those with all of them. */
  partial: (complete: number) =>
    complete === 0
      ? 'No plugin is about all of these words. Each says which it has.'
      : `Only the first ${complete === 1 ? 'plugin is' : `${complete} plugins are`} about all of these words. The others say which they have.`,
  has: (words: string) => `Found: ${words}`,
  missing: (words: string) => `Found nowhere: ${words}.`,
  nothingPassed: {
    title: 'No plugin has passed its install check',
    text: 'The directory lists plugins, but none with an install command that is known to work.',
  },
  emptyDirectory: {
    title: 'This directory lists no plugins',
    text: 'Try again later, or configure another directory.',
  },
  unverifiable: {
    title: 'This directory has no reliable install checks',
    text: 'It is not known which plugins passed, so none of them is shown as verified.',
  },
  loading: 'Loading the directory…',
  failed: 'Could not load the directory',
  answersError: 'It answers, but not as a directory should. Try again later, or check its address.',
  offline: {
    title: 'Directory not reachable',
    text: 'Check the network connection of the machine the store runs on, then retry.',
  },
  retry: 'Retry',
  otherSite: (offered: string, stored: string) =>
    `The directory’s list is now from ${offered}. The stored one is from ${stored}.`,
  olderIndex: (offered: string, stored: string) =>
    `The directory’s list was published ${offered}, before the stored one: ${stored}.`,
  replaceIndex: 'Replace the stored list',
  /** Age and time of the stored index that is shown. */
  copyOf: (age: string, time: string) => `Showing the list from ${age} (${time}).`,
  partCopy: 'Showing the part that has been read.',
  offlineNow: 'Offline.',
  rejected: (count: string, isOne: boolean) =>
    `${count} plugin${isOne ? '' : 's'} of the directory could not be read and ${isOne ? 'was' : 'were'} skipped.`,
  directory: 'Directory',
}

/** Names of the facets, and of their values that the contract has no message for. */
export const facets = {
  verdict: {
    title: 'Install check',
    values: {
      installs: 'Passed or needs approval',
      passed: 'Passed',
      'needs-approval': 'Needs approval',
      all: 'All plugins',
    },
  },
  traits: {
    title: 'Show only',
    values: {
      installable: 'Can be installed',
      installed: 'Installed',
      updatable: 'Has updates',
      new: 'New since you last looked',
    },
  },
  fits: { title: 'Fits this harness', values: { yes: 'Yes', no: 'No', unknown: 'Not known' } },
  category: { title: 'Category' },
  risk: { title: 'Risk flags', values: { none: 'None in the directory' } },
  license: { title: 'Licence', values: { none: 'Not stated' } },
  language: { title: 'Language', values: { none: 'Not stated' } },
  owner: { title: 'Owner' },
  stars: { title: 'Stars' },
  pushed: { title: 'Last change' },
}

/**
 * Keys of filters in a query, in the order in which they are offered. The screen shows the first name; names in every
 * language are understood. `noun` names a value of the key.
 */
export const keys = {
  category: { names: ['category'], noun: 'category' },
  risk: { names: ['risk'], noun: 'risk flag' },
  license: { names: ['license', 'licence'], noun: 'licence' },
  language: { names: ['language', 'lang'], noun: 'language' },
  owner: { names: ['owner', 'author'], noun: 'owner' },
  stars: { names: ['stars'], noun: 'number of stars' },
  pushed: { names: ['pushed', 'updated'], noun: 'date' },
  fits: { names: ['fits'], noun: 'answer' },
  is: { names: ['is'], noun: 'filter' },
  sort: { names: ['sort'], noun: 'sort order' },
}

const atHost = (host: string | null) => host ?? 'GitHub'

export const details = {
  reading: 'Reading…',
  facts: {
    title: 'Facts',
    newest: (version: string, date: string | null) => (date === null ? version : `${version} of ${date}`),
    installed: (version: string, date: string | null) =>
      date === null ? `${version} installed` : `${version} installed, released ${date}`,
    available: (installed: string, newest: string) => `${installed} installed, ${newest} available`,
    pushed: (date: string) => `repository changed ${date}`,
    noLicense: 'No licence stated',
    downloads: (text: string, count: number) => `${text} ${count === 1 ? 'download' : 'downloads'} last week`,
  },
  /** Reason why a server's answer is missing. */
  problems: {
    'not-found': (host: string | null) => `${atHost(host)} does not have it.`,
    unauthorized: (host: string | null) => `${atHost(host)} wants a log-in. Log in with “pnpm login”, then try again.`,
    busy: (host: string | null) => `${atHost(host)} asks to wait. Try again in some minutes.`,
    unreachable: (host: string | null) => `${atHost(host)} did not answer. Check the network, then try again.`,
    unreadable: (host: string | null) => `${atHost(host)} sent something unexpected.`,
    'too-large': () => 'It is too large to show here. Open the source instead.',
    refused: () => 'The store could not ask. Reload the page, then try again.',
  },
  versions: {
    title: (count: string) => `Versions (${count})`,
    installNamed: (version: string) => `Install version ${version}`,
    newest: 'Newest',
    installed: 'Installed',
    fits: (fits: boolean | null): string =>
      fits === null ? 'Not stated' : fits ? 'Fits this harness' : 'Does not fit this harness',
    deprecated: (message: string) => `Deprecated: ${message}`,
    more: (count: string) => `${count} older ones are not shown.`,
    repository: 'It is installed from its repository, always in the newest state: there are no versions to choose.',
  },
  source: {
    title: 'From the repository',
    /** Stands behind the buttons while no README is open. */
    asks: 'Requested from GitHub by the store’s machine. An open README stays open for other plugins.',
    kinds: { readme: 'README', changes: 'Release notes' },
    none: { readme: 'It has no README.', changes: 'It has no release notes.' },
    issues: 'Open issues',
    openIssues: (count: string, number: number) =>
      number === 1 ? 'One issue or pull request is open.' : `${count} issues and pull requests are open.`,
    archived: 'Its owner has archived it: it gets no more changes.',
    languages: { en: 'English', zh: '中文' },
  },
}
