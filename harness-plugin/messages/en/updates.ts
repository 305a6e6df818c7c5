/** Words about updates of installed plugins, and about versions that are held. */
export const updates = {
  /** Read out after the name of the view. */
  count: (count: string, number: number) => `${count} update${number === 1 ? '' : 's'}`,
  checkedAt: (ago: string) => `Checked ${ago}.`,
  automatic: 'Check for updates automatically',
  asks: 'At most every six hours while the store is open. Asks the package registry for the newest version of each plugin, and the code host for the newest commit of those from a repository.',
  all: 'Update all',
  allTitle: (profile: string) => `Update plugins in profile ${profile}`,
  how: 'How to update',
  together: 'Together: if one fails, none is updated',
  each: 'One after the other: each is kept or undone by itself',
  confirm: (count: number) => (count < 2 ? 'Update' : `Update ${count} plugins`),
  holdThis: 'Hold this version…',
  unhold: 'Stop holding',
  /** Skips one update; the next one is offered again. */
  skip: (version: string) => `Skip ${version}`,
  unskip: 'Offer it again',
  skipped: (version: string) => `You skipped ${version}.`,
  hold: 'Hold',
  holdTitle: (name: string, version: string) => `Hold ${name} ${version}`.trim(),
  holdMeans: 'No update of it is offered until you stop holding it.',
  reason: 'Reason (optional)',
  held: (reason: string | null) => (reason === null ? 'Held at this version.' : `Held at this version: ${reason}`),
}
