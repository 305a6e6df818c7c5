/** Words of the search. Counts are already formatted for the language. */
export const finding = {
  search: 'Search plugins',
  completions: 'Suggestions',
  plugins: 'Plugins',
  results: 'Results',
  count: (shown: string, isOne: boolean) => `${shown} plugin${isOne ? '' : 's'}`,
  /** Behind the number, while the filter by install check is as it is at first. */
  passed: 'passed the install check',
  asking: 'Searching the directory for more…',
  askFailed: 'Directory not reachable. Showing results from the stored list.',
  /** Rows that wait because a person is using the list. */
  waiting: (count: string, isOne: boolean) => `Show ${count} more plugin${isOne ? '' : 's'}`,
  refresh: 'Refresh',
  filters: 'Filters',
  filtersOn: (count: number) => (count === 0 ? 'Filters' : `Filters (${count})`),
  closeFilters: 'Show results',
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
  sorts: { stars: 'Stars', pushed: 'Recently pushed', checked: 'Recently checked', name: 'Name' },
  unknownKey: (key: string, keys: string) => `Unknown filter “${key}:”, ignored. Filters are ${keys}.`,
  /** The other key is one letter away. */
  nearKey: (key: string, near: string) => `Unknown filter “${key}:”, ignored. Did you mean “${near}:”?`,
  unknownValue: (noun: string, values: string) => `Unknown ${noun} “${values}”, ignored.`,
  row: {
    notInstallable: 'Not installable',
    /** Stars that the parts of a repository share. */
    sharedStars: (count: string) => `${count} (repository)`,
    pushed: (ago: string) => `Pushed ${ago}`,
    /** Replaces Install when an install needs a decision first. */
    review: 'Review…',
    /** Replaces Install after a trial that the plugin failed. */
    retry: 'Try again…',
    retryNamed: (name: string) => `Try to install ${name} again`,
    reviewNamed: (name: string) => `Review ${name} before installing`,
  },
  details: {
    title: 'Details',
    loading: 'Loading details…',
    failed: (message: string) => `Could not load the details. ${message}`.trim(),
    more: 'Show all',
    less: 'Show less',
    stars: 'Stars',
    pushed: 'Last change',
    command: 'Install command',
    copy: 'Copy',
    copied: 'Copied',
    copyFailed: 'Could not copy. Select the command and copy it yourself.',
    /** Shows a command that failed in the install check. */
    showAnyway: 'Show the command anyway',
    whyNot: 'Why it cannot be installed',
    options: 'Other ways to install it',
    optionsNote: 'The install check did not run these commands.',
    optionOther: 'This command does not install this plugin, so it is not shown.',
    siblings: 'Also in this repository',
    page: 'Directory page',
    byOwner: (owner: string) => `All plugins of ${owner}`,
    undescribed: 'Directory not reachable, so only its name is known.',
  },
  none: {
    title: 'No plugin matches',
    clearSearch: 'Clear search',
  },
  /** Includes plugins that did not pass the install check. */
  searchAll: (count: string) => `Search all plugins (${count})`,
  /** The corrected words stand between each two: of a correction that was applied, and of one that is offered. */
  corrected: ['Showing results for', '.'],
  didYouMean: ['Did you mean', '?'],
  /** Shown when rows have only some of the words: `complete` is the number of those with all of them. */
  partial: (complete: number) =>
    complete === 0
      ? 'No plugin has all of these words. Each row names those it has.'
      : `Only the first ${complete === 1 ? 'plugin has' : `${complete} plugins have`} all of these words. Each other row names those it has.`,
  /** Words of the search that a row has, when it does not have them all. */
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
  partCopy: 'Showing the part that was downloaded.',
  offlineNow: 'Offline.',
  rejected: (count: string, isOne: boolean) =>
    `${count} entr${isOne ? 'y' : 'ies'} of the directory could not be read and ${isOne ? 'was' : 'were'} skipped.`,
  download: {
    /** Title of the section about the stored list. */
    title: 'Directory',
    start: 'Download the directory for offline use',
    running: (done: string, total: string | null) =>
      total === null ? `${done} plugins` : `${done} of ${total} plugins`,
    stop: 'Cancel',
    done: (time: string) => `The whole directory is available offline, as of ${time}.`,
  },
}
