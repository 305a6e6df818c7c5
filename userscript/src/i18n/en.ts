import { contractMessages, type Locale } from '@plugmark/shared/i18n'
import type { PageSwitch } from '../settings/settings.ts'

export const en = {
  locale: 'en' as Locale,
  /** The language in itself. */
  languageName: 'English',
  /** For dates and times. */
  dateLocale: 'en-GB',
  contract: contractMessages('en'),
  pluginOf: (fullName: string) => `plugin ${fullName}`,
  /**
   * How a badge is read out; it begins with the visible text.
   *
   * @param name of a plugin, or of a repository with several
   */
  badgeOf: (text: string, name: string) => `${text}, ${name}`,
  isPlugin: 'Plugin for DeepSeek Harness',
  pluginCount: (count: number) => `${count} plugins`,
  copyCommandOf: (fullName: string) => `Copy the install command of ${fullName}`,
  chooseCommand: (fullName: string) => `Choose an install command of ${fullName}`,
  /** Precedes the reason. */
  noCommand: 'Cannot be installed with one command. ',
  copied: (command: string) => `Copied: ${command}`,
  copyFailed: (command: string) => `Could not copy. Select the command and copy it yourself: ${command}`,
  /** The index could not be downloaded, and there is no older copy to show. */
  unreachable: { text: 'Directory not reachable.', retry: 'Retry', retrying: 'Retrying…' },
  card: {
    loading: 'Loading details…',
    noDetails: 'No details available.',
    stars: (count: string) => `${count} star${count === '1' ? '' : 's'}`,
    license: (id: string) => `Licence ${id}`,
    /** @param verdict of the install check @param date day and month */
    checked: (verdict: string, date: string) => `${verdict}, ${date}`,
    copy: 'Copy',
    /** Unfolds a command that failed the install check. */
    showAnyway: 'Show the command anyway',
    otherWays: (count: number) => (count === 1 ? 'Another way to install it' : `${count} other ways to install it`),
    /** Stands at every command but the one that the install check ran. */
    notTried: 'The install check did not run this command.',
    otherPlugins: (count: number) => `${count} more plugin${count === 1 ? '' : 's'} in this repository`,
    page: 'Directory page',
    source: 'Source',
    settings: 'Plugmark settings',
  },
  settings: {
    title: 'Plugmark settings',
    close: 'Close',
    profile: 'Profile',
    profileHint: 'Commands install into this profile.',
    cli: 'Command-line program',
    cliHint: 'Commands for other programs are not offered.',
    badName: 'Use up to 64 letters, digits, dots, hyphens or underscores, starting with a letter or digit.',
    language: 'Language',
    automatic: 'Automatic',
    pages: 'Mark plugins on',
    pageKinds: {
      topic: 'Topics',
      search: 'Search results',
      'user repositories': 'User repositories',
      organization: 'Organisation repositories',
      stars: 'Stars',
      trending: 'Trending',
      explore: 'Explore',
      feed: 'Feed',
      dependents: 'Dependents',
      forks: 'Forks',
      profile: 'Profiles',
      text: 'READMEs, issues and other text',
      repository: 'Card on repository pages',
    } satisfies Readonly<Record<PageSwitch, string>>,
    /** Heads the switches of what is on a page besides the badges. */
    onPage: 'On the page',
    showSummary: 'Number of plugins in the corner of lists',
    paused: 'Paused on this site',
    directory: 'Directory',
    directoryHint: 'To use another directory, build the script with',
    copy: (count: string, generated: string, age: string) =>
      `${count} listings, published ${generated}, checked ${age}.`,
    noCopy: 'The list has not been downloaded yet.',
    notKept: 'The browser does not store the list; it is kept in this tab only.',
    refresh: 'Refresh now',
    refreshing: 'Refreshing…',
    refreshed: 'The list is up to date.',
    /** Another tab is downloading the index and has not finished. */
    busy: 'Another tab is refreshing.',
    failed: (message: string) => `Failed: ${message}`,
    clear: 'Delete the stored list',
    cleared: 'Deleted.',
    privacy: 'What it stores and sends',
    stores:
      'The script manager stores these settings. The browser stores the list and the details of up to 300 opened cards, for this site only.',
    sends:
      'The list is requested from the directory at most every six hours, unless a request fails or you refresh. The details of a plugin are requested when you open its card or repository. Nothing else is sent.',
  },
  summary: {
    label: 'Plugins on this page',
    /** @param all repositories in a list; null in prose */
    count: (plugins: number, all: number | null) =>
      all === null ? `${plugins} plugin${plugins === 1 ? '' : 's'} on this page` : `${plugins} of ${all} are plugins`,
    noBadge: 'No badge only means that a repository is not in the directory.',
    previous: 'Previous plugin',
    next: 'Next plugin',
    more: 'More about this page',
    dim: 'Dim other repositories',
    pause: 'Pause on this site',
    paused: 'Plugmark is paused on this site.',
    resume: 'Resume',
    settings: 'Settings',
    hide: 'Hide',
    /** @param next @param previous key combinations */
    keys: (next: string, previous: string) => `Press ${next} or ${previous} for the next or previous plugin.`,
  },
}

/** All messages of the userscript in one language. */
export type Messages = typeof en
