/** Words of what the registry and the code host say of a plugin. */
const atHost = (host: string | null) => host ?? 'GitHub'

export const details = {
  checkedOn: (day: string) => `${day}.`,
  reading: 'Reading…',
  facts: {
    title: 'Facts',
    newest: (version: string, date: string | null) => (date === null ? version : `${version}, ${date}`),
    pushed: (date: string) => `pushed ${date}`,
    noLicense: 'no licence stated',
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
    install: 'Install…',
    installNamed: (version: string) => `Review version ${version} before installing`,
    newest: 'Newest',
    installed: 'Installed',
    fits: (fits: boolean | null): string =>
      fits === null ? 'Fit not stated' : fits ? 'Fits this harness' : 'Does not fit this harness',
    deprecated: (message: string) => `Deprecated: ${message}`,
    more: (count: string) => `${count} older ones are not shown.`,
    repository: 'It is installed from its repository, always in the newest state: there are no versions to choose.',
  },
  source: {
    title: 'From the repository',
    asks: 'Nothing is read before you press a button. GitHub then learns the address of the machine that the store runs on.',
    kinds: { readme: 'README', changes: 'Release notes' },
    none: { readme: 'It has no README.', changes: 'It has no release notes.' },
    issues: 'Open issues',
    openIssues: (count: string, number: number) =>
      number === 1 ? 'One issue or pull request is open.' : `${count} issues and pull requests are open.`,
    archived: 'Its owner has archived it: it gets no more changes.',
    languages: { en: 'English', zh: '中文' },
    pictures: (count: string, number: number) => (number === 1 ? 'Show the picture' : `Show ${count} pictures`),
  },
}

/** Words of plugins side by side. */
export const compare = {
  /** Title of the facts that all of them share. */
  same: 'The same for all',
  title: 'Compare plugins',
  chosen: 'To compare:',
  button: 'Compare',
  full: 'Four plugins can be compared. Remove one first.',
  show: 'Side by side',
  oneMore: 'Choose one more in its details.',
  remove: (name: string) => `Remove ${name} from the comparison`,
  detailsOf: (name: string) => `Details of ${name}`,
  summary: 'Summary',
  newest: 'Newest version',
  downloads: 'Downloads last week',
  size: 'Size',
  unlisted: 'The directory does not list it, or did not answer.',
}
